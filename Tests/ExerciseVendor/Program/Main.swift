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
        Explanation.add(
            Explanation(
                "board-open", .failed, "The file names no board, so that any beacon of Marble's takes it.",
                next: "build the file for the board that it is for"))
        BeaconDFU.prepare()
        await BeaconDFU.main()
    }
}
