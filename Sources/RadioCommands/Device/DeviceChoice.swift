import ArgumentParser
import CommandKit
import Identity

/// The option that selects a beacon.
struct DeviceChoice: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The beacon: its address (F0:.., if necessary with /public or /random), name:PATTERN, "
                + "id:TEXT (the vendor's own), or ibeacon:UUID/MAJOR/MINOR.",
            valueName: "selector"), transform: DeviceSelector.reading)
    var device: DeviceSelector?

    /// The selected beacon; throws if `--device` is missing.
    func selector() throws -> DeviceSelector {
        guard let device else {
            throw ValidationError(
                "--device <selector> is missing; `beacon-dfu scan` lists the beacons in range")
        }
        return device
    }
}
