package import Bluetooth
import Glibc

package enum KeyInput {
    /// How often a program in the background checks whether it is in the foreground again.
    private static let pause = Duration.milliseconds(250)

    /// Passes keys typed at the terminal `descriptor` to `handle`, until that returns true or the task is cancelled. Does
    /// nothing unless `descriptor` is a terminal with this program in the foreground. Returns whether `handle` ended it.
    @discardableResult package static func read(
        from descriptor: Int32, on loop: EventLoop, until handle: @Sendable ([TerminalKey]) async -> Bool
    ) async -> Bool {
        guard let mode = KeyMode(descriptor) else { return false }
        var isOver = false
        var reader = KeyReader()
        while !isOver, !Task.isCancelled {
            await loop.wait(for: .readable, of: descriptor)
            guard !Task.isCancelled else { break }
            // A background process that reads from its terminal is stopped.
            guard KeyMode.isInForeground(of: descriptor) else {
                try? await loop.sleep(until: loop.now + pause)
                continue
            }
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            guard count > 0 || errno == EINTR || errno == EAGAIN else { break }
            if count > 0 { isOver = await handle(reader.keys(Array(bytes.prefix(count)))) }
        }
        _ = consume mode
        return isOver
    }
}

/// Decodes keys from a terminal's bytes (ECMA-48 control sequences, as xterm and the Linux console send them).
struct KeyReader: Sendable {
    /// The most bytes of a sequence; longer ones are not keys.
    private static let longest = 16
    private var rest: [UInt8] = []

    init() {}

    /// The keys in `bytes`, which were read at once. An incomplete sequence waits for its end; Escape alone is a key.
    mutating func keys(_ bytes: [UInt8]) -> [TerminalKey] {
        rest += bytes
        var keys: [TerminalKey] = []
        while let first = rest.first {
            if first == 0x1B {
                if rest.count == 1 {
                    rest = []
                    keys.append(.escape)
                } else if let length = Self.sequence(rest) {
                    if let key = Self.key(Array(rest.prefix(length).dropFirst(2))) { keys.append(key) }
                    rest.removeFirst(length)
                } else if rest.count > Self.longest {
                    rest = []
                } else {
                    break
                }
                continue
            }
            guard let length = Self.scalar(rest) else { break }
            if let key = Self.key(rest.prefix(length)) { keys.append(key) }
            rest.removeFirst(length)
        }
        return keys
    }

    /// The length of the sequence at the start; nil if it is incomplete. Escape that begins no sequence has length 1.
    private static func sequence(_ bytes: [UInt8]) -> Int? {
        guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else { return 1 }
        return bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 }
    }

    private static func key(_ end: [UInt8]) -> TerminalKey? {
        switch String(decoding: end, as: UTF8.self) {
        case "": .escape
        case "A": .up
        case "B": .down
        case "H", "1~", "7~": .home
        case "F", "4~", "8~": .end
        case "5~": .pageUp
        case "6~": .pageDown
        default: nil
        }
    }

    /// The bytes of the first character; nil if it is incomplete. A byte that begins no character counts as one.
    private static func scalar(_ bytes: [UInt8]) -> Int? {
        let length =
            switch bytes[0] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        return bytes.count >= length ? length : nil
    }

    private static func key(_ bytes: ArraySlice<UInt8>) -> TerminalKey? {
        switch bytes.first {
        case 0x0D, 0x0A: return .enter
        case 0x7F, 0x08: return .backspace
        case .some(0..<0x20): return nil
        default:
            guard let text = String(validating: bytes, as: UTF8.self), text.count == 1 else { return nil }
            return text.first.map(TerminalKey.character)
        }
    }
}

/// A key that the live view handles.
package enum TerminalKey: Equatable, Sendable {
    case up, down, pageUp, pageDown, home, end, enter, escape, backspace
    case character(Character)
}
