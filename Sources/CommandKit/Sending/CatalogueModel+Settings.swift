import ArgumentParser
package import Firmware
import UpdateModel

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
