@testable import BeaconCommands

extension CommandTree {
    /// The tree of the whole program, made once for all tests: a debug build takes a quarter of a second for it.
    static let once = whole
}
