import BeaconCommands

@testable import CommandKit

extension CommandTree {
    /// The command tree of the whole program, built once for all tests: a debug build takes a quarter of a second for
    /// it.
    static let once: CommandTree? = {
        Program.setRootCommand(BeaconDFU.self)
        return ofProgram
    }()
}
