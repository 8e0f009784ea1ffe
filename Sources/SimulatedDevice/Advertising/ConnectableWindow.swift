/// When a beacon takes connections.
public struct ConnectableWindow: Hashable, Sendable {
    /// What decides it.
    public enum Rule: String, CaseIterable, Sendable {
        /// It always does.
        case always = "true"
        /// It never does.
        case never = "false"
        /// It does for a while after its button was pressed.
        case afterClick = "after-click"
    }

    /// What decides it.
    public var rule: Rule
    /// When the button is pressed, from when the beacon came up.
    public var clicks: [Duration]
    /// For how long each press lets somebody in.
    public var length: Duration

    /// A window that `rule` opens.
    public init(_ rule: Rule = .always, clicks: [Duration] = [], length: Duration = .seconds(60)) {
        self.rule = rule
        self.clicks = clicks
        self.length = length
    }

    /// Whether it is open `elapsed` after the beacon came up.
    public func isOpen(_ elapsed: Duration) -> Bool {
        switch rule {
        case .always: true
        case .never: false
        case .afterClick: clicks.contains { $0 <= elapsed && elapsed < $0 + length }
        }
    }
}
