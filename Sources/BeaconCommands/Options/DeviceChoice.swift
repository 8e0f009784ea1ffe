import ArgumentParser
import BeaconIdentity

/// Which beacon.
struct DeviceChoice: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The beacon: its address (F0:.., where need be with /public or /random), name:PATTERN, "
                + "id:TEXT (the vendor's own), or ibeacon:UUID/MAJOR/MINOR.",
            valueName: "selector"), transform: DeviceSelector.reading)
    var device: DeviceSelector?

    /// The beacon that was named.
    func selector() throws -> DeviceSelector {
        guard let device else {
            throw ValidationError(
                "--device <selector> is missing; `beacon-dfu scan` lists the beacons that can be heard")
        }
        return device
    }
}
