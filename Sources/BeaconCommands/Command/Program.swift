public import ArgumentParser
import Synchronization

/// The program that this process is: its commands, and what it is called.
public enum Program {
    private static let chosen = Mutex<any AsyncParsableCommand.Type>(BeaconDFU.self)

    /// Makes this process the program of `root`'s commands. Has to come before anything else.
    public static func become(_ root: any AsyncParsableCommand.Type) { chosen.withLock { $0 = root } }

    /// The command above all others.
    static var root: any AsyncParsableCommand.Type { chosen.withLock { $0 } }

    /// What it is called.
    package static var name: String { root.configuration.commandName ?? "beacon-dfu" }
}
