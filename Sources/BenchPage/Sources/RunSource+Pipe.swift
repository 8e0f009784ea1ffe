import Dispatch
import Glibc

extension RunSource {
    /// The longest line that is read, in bytes; longer ones are skipped.
    static let mostBytes = 1 << 18

    /// Reads lines from `descriptor` on a thread of its own until its end, and then marks the source as silent; the
    /// returned stream ends at the same time. The caller has to close the descriptor.
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
            self.fallSilent("the run sends no more events")
            self.close()
            ending.finish()
        }
        return end
    }
}

/// Splits bytes into lines.
struct LineSplitter: Sendable {
    private let limit: Int
    private var rest: [UInt8] = []
    private var isSkipping = false

    init(limit: Int) { self.limit = limit }

    /// The lines completed by `bytes`, without their ends; lines that are too long are skipped.
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
