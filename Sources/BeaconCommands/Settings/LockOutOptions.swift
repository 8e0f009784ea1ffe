import ArgumentParser
import Sessions

/// What a change of settings may do to a beacon.
struct LockOutOptions: ParsableArguments {
    private static let names = LockOut.allCases.map(\.rawValue).joined(separator: ", ")

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Allow what locks the beacon away: \(names).", valueName: "name"),
        transform: { text in
            guard let risk = LockOut(rawValue: text) else {
                throw ValidationError("'\(text)' is none of \(names)")
            }
            return risk
        })
    var force: [LockOut] = []

    /// What is allowed.
    var permitted: Set<LockOut> { Set(force) }
}
