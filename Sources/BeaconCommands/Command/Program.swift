public import ArgumentParser
import Synchronization

/// The program of this process: its commands and its name.
public enum Program {
    private static let chosen = Mutex<any AsyncParsableCommand.Type>(BeaconDFU.self)

    /// Makes `root` the root command of this process. Call it before anything else.
    public static func become(_ root: any AsyncParsableCommand.Type) { chosen.withLock { $0 = root } }

    /// The root command.
    static var root: any AsyncParsableCommand.Type { chosen.withLock { $0 } }

    /// The program's name.
    package static var name: String { root.configuration.commandName ?? "beacon-dfu" }
}
