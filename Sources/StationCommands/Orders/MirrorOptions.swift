import ArgumentParser
import Work

/// The folder of a mirror from which stations get files.
struct MirrorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Also put files into this folder, as sha256/HASH: an HTTP server for it is a mirror (`join --mirror`).",
            valueName: "folder"), completion: .directory)
    var filesTo: String?

    /// Stores the files before the work server names them: stations request no file that the mirror lacks.
    func keep(_ files: [[UInt8]]) throws {
        guard let filesTo else { return }
        let folder = FileCache(filesTo)
        for bytes in files { try folder.keepForOthers(bytes) }
    }
}
