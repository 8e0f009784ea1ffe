import BeaconCommands
import CommandKit
import Firmware
import MarbleBeacons
import MarbleUpdates
import Simulation

/// beacon-dfu with an additional vendor.
@main enum Main {
    @MainActor static func main() async {
        KnownVendors.add(MarbleVendor())
        ScenarioKind.add(.marble)
        BeaconDFU.prepare()
        await BeaconDFU.main()
    }
}
