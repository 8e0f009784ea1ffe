package import ArgumentParser
package import Firmware
package import UpdateModel

/// How an update is sent: set by a catalogue's family under `flash`, or on the command line.
package struct SendingOptions: ParsableArguments {
    @Option("Give up after this many lost links in a row without progress. Default: 5.", valueName: "number")
    package var attempts: Int?
    @OptionGroup package var vendors: VendorArguments

    package func validate() throws {
        try require(attempts.map({ $0 >= 1 }) ?? true, "--attempts is at least 1")
    }

    /// How many links may fail in a row.
    package var fruitlessLinks: Int { attempts ?? 5 }

    package var bootloader: BootloaderSelector? {
        vendors[TransferOptions.self][.bootloader].flatMap(BootloaderSelector.init)
    }

    package var arguments: [String] {
        (attempts.map { ["--attempts", "\($0)"] } ?? []) + vendors.arguments
    }

    /// The given options that have no effect on `file`, as typed.
    package func unusedOptions(for file: any VendorFile) -> [String] {
        vendors.given { !file.takes($0) }.map { "--\($0.name)" }
    }

    package func completed(by family: CatalogueFamily) throws(CommandFailure) -> SendingOptions {
        let own = try Self.settings(of: family)
        var all = self
        all.attempts = attempts ?? own.attempts
        for type in KnownVendors.options {
            all.vendors[type] = type.completed(vendors[type], by: own.vendors[type])
        }
        return all
    }

    /// The options that `family` sets; throws `catalogue-invalid` for an invalid value.
    package static func settings(of family: CatalogueFamily) throws(CommandFailure) -> SendingOptions {
        do { return try parse(family.flashArguments) } catch {
            throw CommandFailure(
                .command.catalogueInvalid, during: "reading the catalogue",
                message: "\(family.place): 'flash' of \(family.name): \(message(for: error))")
        }
    }

    package init() {}
}

extension FlashSetting {
    package var arguments: [String] {
        let declared = KnownVendors.options(in: .catalogue).first { $0.key == name }
        let option = "--" + (declared?.name ?? name)
        guard declared?.isFlag == true, value == "true" || value == "false" else { return [option, value] }
        return value == "true" ? [option] : []
    }
}

extension CatalogueFamily {
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
            var update = UpdateOptions()
            for type in KnownVendors.options { try options.vendors.add(type, to: &update) }
            if let package = firmware.lazy.compactMap(\.package).first {
                let unused = options.unusedOptions(for: package)
                guard unused.isEmpty else {
                    return "\(unused.joined(separator: ", ")): no effect on a file of kind \(package.kind)"
                }
            }
            return nil
        } catch let failure as CommandFailure { return failure.message } catch {
            return SendingOptions.message(for: error)
        }
    }
}
