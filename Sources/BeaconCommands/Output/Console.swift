import Glibc
import Synchronization

/// Where output goes: results to stdout, talk to stderr.
final class Console: Sendable {
    /// How results and talk are to look.
    struct Style: Sendable {
        var isJSON = false
        var isTerminal = false
        var hasColour = false
    }

    let style: Style
    private let bar = Mutex("")
    private let failure = Mutex<Int32?>(nil)

    init(style: Style) { self.style = style }

    /// One line of a result.
    func result(_ line: String) { write(PlainText.cleaned(line) + "\n", to: STDOUT_FILENO) }

    /// One line of JSON, if that is what was asked for.
    func event(_ line: JSONLine) { if style.isJSON { result(line.text) } }

    /// One line of talk.
    func talk(_ line: String) {
        let shown = bar.withLock { $0 }
        let clean = PlainText.cleaned(line)
        write((shown.isEmpty ? "" : "\r\u{1B}[K") + clean + "\n" + shown, to: STDERR_FILENO)
    }

    /// A line that stays at the bottom of the terminal and is drawn over; empty takes it away.
    func draw(bar text: String) {
        let had = bar.withLock { bar in
            defer { bar = text }
            return !bar.isEmpty
        }
        guard had || !text.isEmpty else { return }
        write("\r\u{1B}[K" + text, to: STDERR_FILENO)
    }

    /// Why a result could not be written, for example because the disk is full.
    var outputError: Int32? { failure.withLock { $0 } }

    /// `text` in `colour`, where colours are wanted.
    func paint(_ text: String, _ colour: Colour) -> String {
        style.hasColour ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// The colours in use, as terminals number them.
    enum Colour: Int {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
    }

    private func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                // A reader that has gone away, as `head` does, is no failure of ours.
                if errno != EPIPE, descriptor == STDOUT_FILENO { failure.withLock { $0 = errno } }
                return
            }
            rest = rest.dropFirst(count)
        }
    }
}
