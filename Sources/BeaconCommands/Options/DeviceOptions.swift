import ArgumentParser
import BeaconIdentity

/// Which beacon, and how long to look for it.
struct DeviceOptions: ParsableArguments {
    @OptionGroup var choice: DeviceChoice
    @Option(
        name: [.customLong("scan-for"), .customLong("for")],
        help: ArgumentHelp("How long to look for the beacon.", valueName: "seconds"))
    var scanFor = 10.0
    @Option(
        help: ArgumentHelp(
            "Wait so long until the beacon can be connected to, which some allow only after a button press. Beacons that do "
                + "not advertise their name: or id: are asked over a connection.",
            valueName: "seconds"))
    var wait: Double?
    @Flag(
        name: .customLong("no-wait-identity"),
        help:
            "Decide on what is heard first. Default: up to 10 s more, where the rest may be in other frames.")
    var isHasty = false

    /// The beacon that was named; nil where none was.
    var device: DeviceSelector? { choice.device }

    /// The beacon that was named.
    func selector() throws -> DeviceSelector { try choice.selector() }

    /// The search for `device`, with its progress on `console`.
    func search(for device: DeviceSelector, _ console: Console) -> DeviceSearch {
        DeviceSearch(
            selector: device, limit: .seconds(wait ?? scanFor),
            status: SearchStatus(console: console, goal: "\(device)", awaited: wait == nil ? nil : device),
            isHasty: isHasty,
            isWaiting: wait != nil)
    }

    func validate() throws {
        guard scanFor > 0, scanFor <= 3600 else {
            throw ValidationError("--scan-for is a number of seconds, from above 0 to 3600")
        }
        try Self.check(wait)
    }

    /// Throws where that cannot be waited.
    static func check(_ wait: Double?) throws {
        guard wait.map({ $0 > 0 && $0 <= 86_400 }) ?? true else {
            throw ValidationError("--wait is a number of seconds, from above 0 to 86400")
        }
    }
}
