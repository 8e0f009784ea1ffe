import ArgumentParser

/// Which beacon, and how long to look for it.
struct DeviceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The beacon: its address (F0:.., where need be with /public or /random), name:TEXT, or "
                + "ibeacon:UUID/MAJOR/MINOR.",
            valueName: "selector"), transform: DeviceSelector.reading)
    var device: DeviceSelector
    @Option(
        name: [.customLong("scan-for"), .customLong("for")],
        help: ArgumentHelp("How long to look for the beacon.", valueName: "seconds"))
    var scanFor = 10.0

    /// The search that these ask for, with its progress on `console`.
    func search(_ console: Console) -> DeviceSearch {
        DeviceSearch(
            selector: device, limit: .seconds(scanFor),
            status: SearchStatus(console: console, goal: "\(device)"))
    }

    func validate() throws {
        guard scanFor > 0, scanFor <= 3600 else {
            throw ValidationError("--scan-for is a number of seconds, from above 0 to 3600")
        }
    }
}
