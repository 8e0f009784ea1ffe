import ArgumentParser
import Stations

/// Where files go that stations get from a mirror.
struct MirrorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Put files into this folder too, as sha256/HASH: an HTTP server that has it is a mirror (`join --mirror`).",
            valueName: "folder"), completion: .directory)
    var filesTo: String?

    /// Puts them there, before the engine names them: nobody asks a mirror for what it does not have yet.
    func keep(_ files: [[UInt8]]) throws {
        guard let filesTo else { return }
        let folder = FileCache(filesTo)
        for bytes in files { try folder.keepForOthers(bytes) }
    }
}
