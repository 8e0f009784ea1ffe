import ArgumentParser
import UpdateModel

/// The option that allows risky changes of settings.
struct LockOutOptions: ParsableArguments {
    private static let names = LockOut.allCases.map(\.rawValue).joined(separator: ", ")

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Allow a change that may lock you out of the beacon: \(names).", valueName: "name"),
        transform: { text in
            guard let risk = LockOut(rawValue: text) else {
                throw ValidationError("'\(text)' is not one of \(names)")
            }
            return risk
        })
    var force: [LockOut] = []

    /// The allowed changes.
    var permitted: Set<LockOut> { Set(force) }
}
