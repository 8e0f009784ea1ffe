package import ArgumentParser
import Dialog
import Feasycom
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
