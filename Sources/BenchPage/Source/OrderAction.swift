import Bytes
package import Tray

/// A user's request about a work order, for all benches that work on it. Each requires an approver.
package enum OrderAction: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable { case create, hold, release }

    /// Creates a draft: no bench begins a unit before it is released.
    case create(OrderDraft)
    /// No bench starts a further unit; the reason is shown to everyone.
    case hold(String, because: String)
    /// `since` is the start of the hold to release; nil for a draft.
    case release(String, since: RecordedTime?)

    /// The most bytes of an order's number, of a firmware's id and of a reason.
    private static let mostBytes = 255
    /// The most units and the most attempts, as for an order on the command line.
    private static let most = Int(Int32.max)

    init(_ kind: Kind, _ body: JSONValue) throws(PageRefusal) {
        func text(_ name: String, _ what: String) throws(PageRefusal) -> String {
            guard let text = body[name]?.text, let line = Self.line(text) else {
                throw .malformed("\(what) is a line of 1 to \(Self.mostBytes) bytes of visible text")
            }
            return line
        }
        func count(_ name: String, _ what: String, _ bounds: ClosedRange<Int>) throws(PageRefusal) -> Int {
            guard let count = body[name]?.integer, bounds.contains(count) else {
                throw .malformed("\(what) is a number from \(bounds.lowerBound) to \(bounds.upperBound)")
            }
            return count
        }
        let number = try text("number", "the order's number")
        switch kind {
        case .create:
            let expected = try count("expected", "the number of units", 1...Self.most)
            self = .create(
                OrderDraft(
                    number: number, firmware: try text("firmware", "the choice of firmware"),
                    expected: expected,
                    golden: try count("golden", "the number of golden units", 0...expected),
                    attempts: try count("attempts", "the number of attempts", 1...Self.most)))
        case .hold: self = .hold(number, because: try text("reason", "the reason for a hold"))
        case .release:
            guard let since = body["since"] else {
                self = .release(number, since: nil)
                return
            }
            guard let moment = since.integer else { throw .malformed("`since` is a time in milliseconds") }
            self = .release(number, since: RecordedTime(milliseconds: Int64(moment)))
        }
    }

    /// `text` without spaces at its ends; nil if it is empty, too long, or has invisible characters.
    static func line(_ text: String) -> String? {
        let isVisible = text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        let start = text.drop { $0 == " " }
        let line = String(start.prefix(start.count - start.reversed().prefix { $0 == " " }.count))
        return isVisible && !line.isEmpty && line.utf8.count <= mostBytes ? line : nil
    }
}

package struct OrderDraft: Hashable, Sendable {
    package let number: String
    /// The id of a ``FirmwareChoice``.
    package let firmware: String
    /// The number of units that the order is expected to have.
    package let expected: Int
    /// The number of units that have to pass before the others begin.
    package let golden: Int
    /// How often a unit may fail before another attempt has to be allowed.
    package let attempts: Int
}

/// A user's request; sent again under the same key, it is performed once.
package enum PageRequest: Hashable, Sendable {
    case bench(BenchAction)
    case order(OrderAction)
}
