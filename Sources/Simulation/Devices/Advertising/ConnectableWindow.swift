/// When a beacon accepts connections.
public struct ConnectableWindow: Hashable, Sendable {
    /// The condition for accepting a connection.
    public enum Rule: String, CaseIterable, Sendable {
        /// Always.
        case always = "true"
        /// Never.
        case never = "false"
        /// For a while after a press of its button.
        case afterClick = "after-click"
    }

    /// The condition for accepting a connection.
    public var rule: Rule
    /// When the button is pressed, as times since the beacon started.
    public var clicks: [Duration]
    /// How long the window stays open after each press.
    public var length: Duration

    /// A window with the condition `rule`.
    public init(_ rule: Rule = .always, clicks: [Duration] = [], length: Duration = .seconds(60)) {
        self.rule = rule
        self.clicks = clicks
        self.length = length
    }

    /// Whether the window is open `elapsed` after the beacon started.
    public func isOpen(_ elapsed: Duration) -> Bool {
        switch rule {
        case .always: true
        case .never: false
        case .afterClick: clicks.contains { $0 <= elapsed && elapsed < $0 + length }
        }
    }
}
