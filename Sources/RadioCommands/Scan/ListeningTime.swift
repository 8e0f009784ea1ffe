import ArgumentParser
import CommandKit

/// How long `scan` listens.
package enum ListeningTime: ExplainedArgument, Equatable, Sendable {
    case seconds(Double)
    /// Until every beacon in range has advertised what its kind advertises, at most `longest`.
    case auto

    /// Frames alternate every 2 s, and the rarest is every tenth (kbeacon.md, 2.7).
    static let longest = Duration.seconds(30)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
            return
        }
        guard let seconds = Double(argument), seconds > 0, seconds <= 3600 else { return nil }
        self = .seconds(seconds)
    }

    /// Nil for `.auto`.
    var seconds: Double? { if case .seconds(let seconds) = self { seconds } else { nil } }

    static func flaw(in text: String) -> String {
        "--for is a number of seconds, above 0 and at most 3600, or 'auto' for as long as needed, at most 30"
    }
}
