package import ArgumentParser
import Dialog
package import Feasycom
package import Firmware
import Nordic
package import UpdateModel

/// How an update is sent: set by a catalogue's family under `flash`, or on the command line.
package struct SendingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Give up after this many lost links in a row without progress. Default: 5.", valueName: "number"))
    package var attempts: Int?
    @Option(
        help: ArgumentHelp(
            "Initial packets per receipt; 0 for none. Default: by MTU; 8 for Legacy DFU.",
            valueName: "packets"))
    package var prn: UInt16?
    @OptionGroup(title: "SUOTA") package var suota: SUOTAOptions
    @OptionGroup(title: "FBeacon") package var fbeacon: FBeaconOptions

    package func validate() throws {
        guard attempts.map({ $0 >= 1 }) ?? true else { throw ValidationError("--attempts is at least 1") }
    }

    /// How many links may fail in a row.
    package var timeout: Int { attempts ?? 5 }

    /// The given options that have no effect on `file`, as typed.
    package func idle(for file: any VendorFile) -> [String] {
        (prn == nil || file.takes(NordicOptions.self) ? [] : ["--prn"])
            + (file.takes(SUOTAPreferences.self) ? [] : suota.given)
            + (file.takes(FBeaconPreferences.self) ? [] : fbeacon.given)
    }

    /// These options, completed by those of `family`.
    package func completed(by family: CatalogueModel) throws(CommandFailure) -> SendingOptions {
        let own = try Self.settings(of: family)
        var all = self
        all.attempts = attempts ?? own.attempts
        all.prn = prn ?? own.prn
        all.suota = suota.completed(by: own.suota)
        all.fbeacon.restoreDigit = fbeacon.restoreDigit ?? own.fbeacon.restoreDigit
        return all
    }

    /// The options that `family` sets; throws `catalogue-invalid` for an invalid value.
    package static func settings(of family: CatalogueModel) throws(CommandFailure) -> SendingOptions {
        do { return try parse(family.flashArguments) } catch {
            throw CommandFailure(
                .command.catalogueInvalid, during: "reading the catalogue",
                message: "\(family.place): 'flash' of \(family.name): \(message(for: error))")
        }
    }

    package init() {}
}

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

    package init() {}
}

extension FlashSetting {
    /// The setting as options of `flash`.
    package var arguments: [String] {
        let option = "--" + name.replacing("_", with: "-")
        return isSwitch && value == "true" ? [option] : isSwitch && value == "false" ? [] : [option, value]
    }

    /// Whether it is a switch, with no value but true and false.
    private var isSwitch: Bool { name == "await_signature" }
}

extension CatalogueModel {
    /// The family's settings as options of `flash`.
    package var flashArguments: [String] { settings.flatMap(\.arguments) }

    /// The settings that `flash` would refuse: each by itself, then all together and with the family's packages.
    package var settingFlaws: [CatalogueFinding] {
        let flaws = settings.compactMap { setting in
            refusal(of: [setting]).map { flaw(setting.place, "\(setting.name): \($0)") }
        }
        guard flaws.isEmpty, let first = settings.first else { return flaws }
        return refusal(of: settings).map { [flaw(first.place, $0)] } ?? []
    }

    private func flaw(_ place: CataloguePlace, _ message: String) -> CatalogueFinding {
        CatalogueFinding(.catalogue.settingInvalid, at: place, message)
    }

    private func refusal(of settings: [FlashSetting]) -> String? {
        do {
            let options = try SendingOptions.parse(settings.flatMap(\.arguments))
            _ = try options.suota.preferences()
            if let package = firmware.lazy.compactMap(\.package).first {
                let idle = options.idle(for: package)
                guard idle.isEmpty else {
                    return "\(idle.joined(separator: ", ")): no effect on a file of kind \(package.kind)"
                }
            }
            return nil
        } catch let failure as CommandFailure { return failure.message } catch {
            return SendingOptions.message(for: error)
        }
    }
}
