package import Bluetooth
import Firmware

extension CatalogueMatch {
    /// The failure for the beacon at `address` when no release is chosen.
    package func failure(for address: DeviceAddress) -> CommandFailure {
        var failure = CommandFailure(
            code, during: "choosing the release", message: "\(address): \(sentence)",
            nextStep: nextStep(for: address), exit: outcome == .upToDate ? .nothingToDo : .failed)
        failure.remarks = reasons
        return failure
    }

    /// The failure code; the outcome's word, unless that is too general.
    private var code: String {
        switch outcome {
        case .unknown: "device-unknown"
        case .ambiguous: "family-ambiguous"
        case .bootloader: "release-unknown"
        default: outcome.word
        }
    }

    private func nextStep(for address: DeviceAddress) -> String {
        switch outcome {
        case .bootloader:
            "find out from its label or your records which package belongs to the unit: `beacon-dfu flash FILE "
                + "--device \(address)`"
        case .unknown:
            "read the beacon with `beacon-dfu info --device \(address)`, and use the values in the catalogue; or flash the "
                + "package by its name"
        case .batteryLow: "give it a fresh battery, then run the same command again"
        default: nextStep
        }
    }
}
