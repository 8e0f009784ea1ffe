import ArgumentParser

/// How long `scan` listens.
enum ListeningTime: ExplainedArgument, Equatable, Sendable {
    case seconds(Double)
    /// Until every beacon that was heard has said what beacons of its kind say, at most `longest`.
    case auto

    /// Frames in turn at 2 s, of which the rarest is every tenth (kbeacon.md, 2.7).
    static let longest = Duration.seconds(30)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
            return
        }
        guard let seconds = Double(argument), seconds > 0, seconds <= 3600 else { return nil }
        self = .seconds(seconds)
    }

    /// Nil where it is not known before.
    var seconds: Double? { if case .seconds(let seconds) = self { seconds } else { nil } }

    static func flaw(in text: String) -> String {
        "--for is a number of seconds, from above 0 to 3600, or 'auto' for as long as it takes, at most 30"
    }
}
