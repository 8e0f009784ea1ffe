import ArgumentParser
import KBeacon

/// What a change of settings may do to a beacon.
struct LockOutOptions: ParsableArguments {
    private static let names = KBeaconSettings.LockOut.allCases.map(\.rawValue).joined(separator: ", ")

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Allow what locks the beacon away: \(names).", valueName: "name"),
        transform: { text in
            guard let risk = KBeaconSettings.LockOut(rawValue: text) else {
                throw ValidationError("'\(text)' is none of \(names)")
            }
            return risk
        })
    var force: [KBeaconSettings.LockOut] = []

    /// What is allowed.
    var permitted: Set<KBeaconSettings.LockOut> { Set(force) }
}
