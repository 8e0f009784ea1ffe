import ArgumentParser
import Bytes
import CommandKit
import FileCommands
import Glibc
import UpdateModel
import Work
import WorkServer

struct Publish: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publish a catalogue with its packages for all stations: all of it or nothing.",
        discussion: """
            Example: `beacon-dfu-station publish manifests`. The catalogue is checked first, as by `beacon-dfu catalogue check`; the seal \
            (`beacon-dfu catalogue sign`) is published with it.
            """
    )

    @Argument(
        help: "The folder of the catalogue, with its packages in it or in subfolders.", completion: .directory
    )
    var folder: String
    @Option(
        "Accept a risk: older-catalogue, a catalogue that was signed before one already published.",
        valueName: "risk")
    var force: [Risk] = []
    @OptionGroup var mirror: MirrorOptions
    @OptionGroup var server: ServerOptions

    func validate() throws {
        try require(
            force.allSatisfy { $0 == .olderCatalogue },
            "the only risk that can be accepted here is older-catalogue")
    }

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        let flaws = try CatalogueCheck(of: folder, telling: console).flaws
        try require(
            flaws == 0, .workServer.catalogueUnusable, during: "checking the catalogue",
            message: "\(folder) has \(Quantities.count(flaws, "error"))")
        var files: [WorkServerAdmin.CatalogueFile] = []
        try collect(folder, "", into: &files)
        try mirror.keep(files.map(\.bytes))
        let version = try await admin.publish(files, allowsOlder: force.contains(.olderCatalogue))
        return console.done(
            "published", ["catalogue": .integer(version), "files": .integer(files.count)],
            "catalogue \(version) is published: \(Quantities.count(files.count, "file"))")
    }

    private func collect(
        _ folder: String, _ prefix: String, into files: inout [WorkServerAdmin.CatalogueFile]
    ) throws(CommandFailure) {
        for name in try InputFile.names(inFolder: folder) where !name.hasPrefix(".") {
            let path = folder + "/" + name
            guard let status = FileStatus(of: path) else { continue }
            if status.kind == S_IFDIR {
                try collect(path, prefix + name + "/", into: &files)
            } else if status.kind == S_IFREG {
                files.append(WorkServerAdmin.CatalogueFile(prefix + name, try FileContent(path: path).bytes))
            }
        }
    }
}

struct Recall: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "recall",
        abstract: "Recall a package or a version of the catalogue: no further unit gets it.",
        discussion:
            "Examples: `beacon-dfu-station recall --catalogue 7 --because 'bricks K6 rev B'`; `beacon-dfu-station recall --sha256 HASH --because TEXT`."
    )

    @Option("The version of the catalogue.", valueName: "version") var catalogue: Int64?
    @Option("The package's SHA-256.", valueName: "hash") var sha256: String?
    @Option("The reason, shown to everyone.", valueName: "text") var because: String
    @OptionGroup var server: ServerOptions

    func validate() throws {
        try require((catalogue == nil) != (sha256 == nil), "give --catalogue VERSION or --sha256 HASH")
    }

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        if let catalogue { try await admin.withdraw(catalogue: catalogue, because: because) }
        if let sha256 { try await admin.recall(file: sha256, because: because) }
        return console.done(
            "recalled",
            ["catalogue": .optional(catalogue), "sha256": .optional(sha256), "message": .text(because)],
            "recalled: no further unit gets it")
    }
}

/// The option for the folder of a mirror, from which stations get files.
struct MirrorOptions: ParsableArguments {
    @Option(
        "Also put files into this folder, as sha256/HASH: an HTTP server for it is a mirror (`join --mirror`).",
        valueName: "folder", completion: .directory)
    var filesTo: String?

    /// Stores `files` in the folder. Called before the work server names them, so that stations find them there.
    func keep(_ files: [[UInt8]]) throws {
        guard let filesTo else { return }
        let folder = FileCache(filesTo)
        for bytes in files { try folder.storeForMirror(bytes) }
    }
}
