public import ArgumentParser
package import Firmware
public import UpdateModel

package struct InstallOptions: ParsableArguments {
    @Option("Refuse a package that was not signed with this key (PEM, hex or C).", valueName: "file")
    package var publicKey: String?
    @Option(
        "Accept a risk by its name: \(Self.riskWords), older-catalogue (signed before one that was already seen).",
        valueName: "risk")
    package var force: [Risk] = []
    @Option(
        "The lowest battery charge that a beacon may advertise, such as 30 (percent) or 2500mV; 0 for no limit. Default: 20 "
            + "and 2400mV.",
        valueName: "charge")
    package var minBattery: [String] = []
    @OptionGroup package var secrets: SecretsOptions
    @OptionGroup package var sending: SendingOptions

    /// The risks of updates, with what the vendors say of them.
    private static var riskWords: String {
        let risks: [Risk] = [.sameVersion, .lowerVersion, .wrongFamily, .runningBank, .unchangedVersion]
        return risks.map { risk in
            let words = KnownVendors.all.compactMap { $0.wording.risks[risk] }.joined(separator: ", ")
            return risk.rawValue + (words.isEmpty ? "" : " (\(words))")
        }.joined(separator: ", ")
    }

    package var inputs: [String?] { [publicKey, secrets.path] + sending.vendors.files }

    package func validate() throws { _ = try batteryLimit(for: nil) }

    /// The limit that the user sets, else that of `family`, else the default.
    package func batteryLimit(for family: CatalogueFamily?) throws -> MinimumCharge {
        var limit = MinimumCharge()
        if let percent = family?.minimumBattery { limit.percent = percent }
        for text in minBattery where !limit.set(text) {
            throw ValidationError("--min-battery is a percentage such as 30, a voltage such as 2500mV, or 0")
        }
        return limit
    }

    /// The given options that have no effect on `file`, as typed.
    package func unusedOptions(for file: any VendorFile, _ sending: SendingOptions) -> [String] {
        let keys = publicKey == nil || file.takesKey ? [] : ["--public-key"]
        let risks = force.filter { !file.risks.contains($0) && $0 != .olderCatalogue }.map {
            "--force \($0.rawValue)"
        }
        return sending.unusedOptions(for: file) + keys + risks
    }

    /// The options of this group, those of `sending`, and the key of `release`, as arguments of `flash`; without the
    /// file of passwords.
    package func arguments(sending: SendingOptions, _ release: CatalogueFirmware) -> [String] {
        let key = publicKey ?? release.keyPath
        return sending.arguments + (key.map { ["--public-key", $0] } ?? [])
            + force.filter { $0 != .olderCatalogue }.flatMap { ["--force", $0.rawValue] }
            + minBattery.flatMap { ["--min-battery", $0] }
    }

    package func risks(for file: any VendorFile) -> Set<Risk> { file.risks.intersection(force) }

    /// The failure for options without effect, which are refused rather than ignored.
    package static func failure(ofUnused options: [String], on files: String) -> CommandFailure {
        CommandFailure(
            .command.optionUnused, during: "reading the command line",
            message: "\(options.joined(separator: ", ")): no effect on \(files)")
    }

    package init() {}
}

extension Risk: ExpressibleByArgument {}
