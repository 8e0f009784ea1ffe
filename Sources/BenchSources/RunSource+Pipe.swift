import Dispatch
import Glibc

extension RunSource {
    /// The most bytes of a line that is read; longer ones are passed over.
    static let mostBytes = 1 << 18

    /// Reads lines from `descriptor` on a thread of its own until it ends, and says then that nothing more is heard; what is returned
    /// ends then, too. The descriptor stays the caller's to close.
    @discardableResult public func read(_ descriptor: Int32) -> AsyncStream<Void> {
        let (end, ending) = AsyncStream.makeStream(of: Void.self)
        DispatchQueue(label: "bench-lines").async {
            var lines = LineSplitter(limit: Self.mostBytes)
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = Glibc.read(descriptor, &piece, piece.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                for line in lines.take(piece[..<count]) { self.take(line: line) }
            }
            self.fallSilent("the run says nothing any more")
            self.close()
            ending.finish()
        }
        return end
    }
}

/// Bytes cut into lines.
struct LineSplitter: Sendable {
    private let limit: Int
    private var rest: [UInt8] = []
    private var isSkipping = false

    init(limit: Int) { self.limit = limit }

    /// The lines that are whole with `bytes`, without their ends; lines that are too long are left out.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if !isSkipping, !rest.isEmpty { lines.append(rest) }
                (rest, isSkipping) = ([], false)
            } else if rest.count < limit {
                rest.append(byte)
            } else {
                (rest, isSkipping) = ([], true)
            }
        }
        return lines
    }
}
