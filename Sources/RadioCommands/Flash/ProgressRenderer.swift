package import CommandKit
import UpdateModel

/// The output for an event. Renderers do not print, so that tests can compare strings.
package enum Rendering: Equatable, Sendable {
    /// A line that stays.
    case line(String)
    /// A line that the next one replaces.
    case bar(String)
    /// One object of JSON Lines.
    case json(JSONLine)
}

/// Turns events into text.
protocol ProgressRenderer: Sendable {
    /// The output for `event`, which came at `moment`.
    mutating func render(_ event: UpdateEvent, at moment: Duration) -> [Rendering]
    /// The output as time passes; called about once a second.
    mutating func tick(at moment: Duration) -> [Rendering]
}

extension ProgressRenderer {
    mutating func tick(at moment: Duration) -> [Rendering] { [] }
}
