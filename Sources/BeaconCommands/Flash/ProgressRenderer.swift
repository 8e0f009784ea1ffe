import UpdateCore

/// What is to be shown of an event. Renderers print nothing themselves, so a test compares strings.
enum Rendering: Equatable, Sendable {
    /// A line that stays.
    case line(String)
    /// A line that the next one replaces.
    case bar(String)
    /// One object of JSON Lines.
    case json(JSONLine)
}

/// Turns events into text.
protocol ProgressRenderer: Sendable {
    /// What is to be shown of `event`, which came at `moment`.
    mutating func render(_ event: UpdateEvent, at moment: Duration) -> [Rendering]
    /// What is to be shown because time has passed, about once a second.
    mutating func tick(at moment: Duration) -> [Rendering]
}

extension ProgressRenderer {
    mutating func tick(at moment: Duration) -> [Rendering] { [] }
}
