public import ArgumentParser

/// The program.
public struct BeaconDFU: AsyncParsableCommand {
    /// Name, version and subcommands.
    public static let configuration = CommandConfiguration(
        commandName: "beacon-dfu",
        abstract: "Brings Bluetooth beacons onto the right, verified firmware.",
        version: "0.1.0",
        subcommands: [
            Inspect.self, Validate.self, Build.self, Keys.self, Scan.self, Info.self, Flash.self, Doctor.self,
            Explain.self,
        ])

    /// The program without arguments prints its help.
    public init() {}
}
