import ArgumentParser
package import Feasycom

/// How an FBeacon open container is sent.
package struct FBeaconOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The digit of EnterDFU that restores the default settings, 0 or 1, if the beacon does not report it.",
            valueName: "digit"),
        transform: { text in
            guard let digit = EntryDigit.allCases.first(where: { $0.text == text }) else {
                throw ValidationError("--restore-digit is 0 or 1")
            }
            return digit
        })
    var restoreDigit: EntryDigit?

    /// The options that were given, as they are typed.
    var given: [String] { restoreDigit == nil ? [] : ["--restore-digit"] }

    /// The preferences for the procedure.
    package var preferences: FBeaconPreferences {
        var preferences = FBeaconPreferences()
        preferences.restoringDigit = restoreDigit
        return preferences
    }
}
