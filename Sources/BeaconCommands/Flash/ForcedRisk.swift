import ArgumentParser
import UpdateCore

/// A risk that the user takes by name: `--force`.
enum ForcedRisk: String, CaseIterable, ExpressibleByArgument {
    /// The bank that was asked for may be the running image's.
    case runningBank = "running-bank"
    /// The device says that it runs this version already.
    case sameVersion = "same-version"
    /// The application says that it has a higher version.
    case lowerVersion = "lower-version"
    /// The device names a chip of another family.
    case wrongFamily = "wrong-family"

    /// Whether it can be taken with a file of `kind`.
    func exists(for kind: String) -> Bool {
        switch self {
        case .runningBank: kind == "suota"
        case .sameVersion: true
        case .lowerVersion: kind == "nordic-secure"
        case .wrongFamily: kind == "suota" || kind == "nordic-secure"
        }
    }
}

extension AcceptedRisks {
    /// Those of the names on a command line.
    init(_ risks: [ForcedRisk]) {
        self = []
        if risks.contains(.sameVersion) { insert(.sameVersion) }
        if risks.contains(.lowerVersion) { insert(.lowerVersion) }
        if risks.contains(.wrongFamily) { insert(.wrongFamily) }
    }
}
