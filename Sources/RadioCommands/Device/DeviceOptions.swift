import ArgumentParser
import CommandKit
import Identity

/// The options that select a beacon, and the time to look for it.
package struct DeviceOptions: ParsableArguments {
    @OptionGroup var choice: DeviceChoice
    @Option(
        name: [.customLong("scan-for"), .customLong("for")],
        help: ArgumentHelp("How long to look for the beacon.", valueName: "seconds"))
    var scanFor = 10.0
    @Option(
        help: ArgumentHelp(
            "Wait this long for the beacon to take connections, which some do only after a button press. "
                + "Beacons that do not advertise their name: or id: are queried over a connection.",
            valueName: "seconds"))
    var wait: Double?
    @Flag(
        name: .customLong("no-wait-identity"),
        help:
            "Decide on the first frames. Default: listen up to 10 s more if the identity may be in other frames."
    )
    var isHasty = false

    /// The selected beacon, if any.
    var device: DeviceSelector? { choice.device }

    /// The selected beacon; throws if there is none.
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
            throw ValidationError("--scan-for is a number of seconds, above 0 and at most 3600")
        }
        try Self.check(wait)
    }

    /// Throws if `wait` is out of range.
    static func check(_ wait: Double?) throws {
        guard wait.map({ $0 > 0 && $0 <= 86_400 }) ?? true else {
            throw ValidationError("--wait is a number of seconds, above 0 and at most 86400")
        }
    }
}
