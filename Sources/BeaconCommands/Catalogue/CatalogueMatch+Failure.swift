import BluetoothTypes
import Catalogue

extension CatalogueMatch {
    /// Why nothing is installed on the beacon at `address`, where nothing is chosen.
    func failure(for address: DeviceAddress) -> CommandFailure {
        var failure = CommandFailure(
            code, during: "choosing the release", message: "\(address): \(sentence)",
            nextStep: nextStep(for: address), exit: outcome == .upToDate ? .nothingToDo : .failed)
        failure.remarks = reasons
        return failure
    }

    /// The outcome's word, where that says enough by itself.
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
            "find out from its label or your records which package belongs to the unit: `beacon-dfu flash FILE --device "
                + "\(address)`"
        case .unknown:
            "see what `beacon-dfu info --device \(address)` reads of it, and let the catalogue go by that; or flash the package "
                + "by its name"
        case .batteryLow: "give it a fresh battery, then run the same command again"
        default: nextStep
        }
    }
}
