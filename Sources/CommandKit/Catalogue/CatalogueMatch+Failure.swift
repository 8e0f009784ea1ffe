package import Bluetooth
import Firmware
import UpdateModel

extension CatalogueMatch {
    /// The failure for the beacon at `address` when no release is chosen.
    package func failure(for address: DeviceAddress) -> CommandFailure {
        var failure = CommandFailure(
            outcome.code ?? .system.internalError, during: "choosing the release",
            message: "\(address): \(sentence)",
            nextStep: nextStep(for: address), exit: outcome == .upToDate ? .nothingToDo : .failed)
        failure.remarks = reasons
        return failure
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
