import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import Firmware
import UpdateModel

package struct DeviceOptions: ParsableArguments {
    @OptionGroup var choice: DeviceChoice
    @Option(
        "How long to look for the beacon.", name: [.customLong("scan-for"), .customLong("for")],
        valueName: "seconds")
    var scanFor = 10.0
    @Option(
        "Wait this long for the beacon to take connections, which some do only after a button press. "
            + "Beacons that do not advertise their name: or id: are queried over a connection.",
        valueName: "seconds")
    var wait: Double?
    @Flag(
        name: .customLong("no-wait-identity"),
        help:
            "Decide on the first frames. Default: listen up to 10 s more if the identity may be in other frames."
    )
    var decidesOnFirstFrames = false

    var device: DeviceSelector? { choice.device }

    func selector() throws -> DeviceSelector { try choice.selector() }

    func search(for device: DeviceSelector, _ console: Console) -> DeviceSearch {
        DeviceSearch(
            selector: device, limit: .seconds(wait ?? scanFor),
            status: SearchStatus(console: console, goal: "\(device)", awaited: wait == nil ? nil : device),
            decidesOnFirstFrames: decidesOnFirstFrames, isWaiting: wait != nil)
    }

    func validate() throws {
        try require(seconds: scanFor, of: "--scan-for", atMost: 3600)
        try require(seconds: wait, of: "--wait", atMost: 86_400)
    }
}

struct DeviceChoice: ParsableArguments {
    @Option(
        "The beacon: its address (F0:.., if necessary with /public or /random), name:PATTERN, "
            + "id:TEXT (the vendor's own), or ibeacon:UUID/MAJOR/MINOR.", valueName: "selector")
    var device: DeviceSelector?

    func selector() throws -> DeviceSelector {
        guard let device else {
            throw ValidationError(
                "--device <selector> is missing; `beacon-dfu scan` lists the beacons in range")
        }
        return device
    }
}
