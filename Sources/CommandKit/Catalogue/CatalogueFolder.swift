package import ArgumentParser
import Bytes
package import Firmware
import Synchronization
package import UpdateModel

/// The folder of a catalogue, with access to the packages that it names.
package struct CatalogueFolder {
    package let path: String
    package let catalogue: Catalogue
    package let errors: [CatalogueError]
    /// The files of the catalogue, in the form in which they are signed.
    package let files: [CatalogueSeal.File]

    /// Reads every `.yaml` and `.yml` file in the folder; throws for one that cannot be read.
    package init(path: String) throws(CommandFailure) {
        try self.init(checking: path)
        guard let error = errors.first else { return }
        throw CommandFailure(
            .command.catalogueInvalid, during: "reading the catalogue", error.problem, in: error.file)
    }

    /// Reads every file that can be read, and collects the errors of the others.
    package init(checking path: String) throws(CommandFailure) {
        let names = try InputFile.names(inFolder: path).filter {
            $0.hasSuffix(".yaml") || $0.hasSuffix(".yml")
        }
        try require(
            !names.isEmpty, .command.catalogueInvalid, during: "reading the catalogue",
            message: "\(path) has no .yaml file")
        let texts = try names.map { name throws(CommandFailure) in
            try FileContent(path: path.entry(name))
        }
        self.path = path
        files = zip(names, texts).map { CatalogueSeal.File(name: $0, sha256: $1.sha256) }
        (catalogue, errors) = Catalogue.parse(texts.map { ($0.path, $0.bytes) })
    }
}

extension CatalogueFirmware {
    package var packagePath: String? { file.map { place.file.folderPrefix + $0 } }

    /// The content of its package; nil if it is not named or cannot be read.
    package var package: (any VendorFile)? {
        guard let packagePath, let file = try? FileContent(path: packagePath),
            case .firmware(let package)? = try? file.recognised()
        else { return nil }
        return package
    }

    /// Whether this program can send the package; true for a package that cannot be read, or that is not named.
    package var canBeSent: Bool {
        guard let packagePath else { return true }
        return Self.sendable.withLock { known in
            if let canBeSent = known[packagePath] { return canBeSent }
            let canBeSent = package.map(Self.canBeSent) ?? true
            known[packagePath] = canBeSent
            return canBeSent
        }
    }

    /// Cached by path: a tray may have hundreds of beacons for one package.
    private static let sendable = Mutex<[String: Bool]>([:])

    private static func canBeSent(_ package: any VendorFile) -> Bool {
        do throws(PlanRefusal) {
            _ = try package.plan(UpdateOptions())
            return true
        } catch .notSent { return false } catch { return true }
    }

    /// The path of the public key that has signed it; nil if the catalogue names none.
    package var keyPath: String? { key.map { place.file.folderPrefix + $0 } }

    /// The release's package, read and checked against the entry.
    package func package(for model: CatalogueFamily) throws(CommandFailure) -> (FileContent, any VendorFile) {
        guard let packagePath else {
            throw CommandFailure(
                .catalogue.fileMissing, during: "checking the package",
                message: "\(place): the catalogue names no package of \(version)")
        }
        let file = try FileContent(path: packagePath)
        if let flaw = findings(on: file.bytes, for: model, try options()).first {
            throw CommandFailure(
                flaw.code, during: "checking the package", message: "\(flaw.place): \(flaw.message)",
                exit: .badFile)
        }
        switch try file.recognised() {
        case .firmware(let package): return (file, package)
        case .unsupported(let foreign):
            throw CommandFailure(
                .file.unsupportedFile, during: "checking the package", message: "\(packagePath) is \(foreign)"
            )
        }
    }

    private func options() throws(CommandFailure) -> UpdateOptions {
        try keyPath.map { (path) throws(CommandFailure) in try UpdateOptions(trustingKeyAt: path) }
            ?? UpdateOptions()
    }

    /// The errors of its package: of the file, its SHA-256, or its content. Empty if the catalogue names no package.
    package func packageFindings(for model: CatalogueFamily) -> [CatalogueFinding] {
        guard let packagePath else { return [] }
        do throws(CommandFailure) {
            return findings(on: try FileContent(path: packagePath).bytes, for: model, try options())
        } catch {
            let code = error.exit == .noFile ? .catalogue.fileMissing : error.code
            return [CatalogueFinding(code, at: place, error.message)]
        }
    }
}

package struct CatalogueOptions: ParsableArguments {
    @Option(
        """
        The catalogue, a folder of YAML files. Default, for commands that need one: the first on the search path \
        in docs/guide/configuration.md, which begins with ./manifests.
        """, valueName: "dir", completion: .directory)
    package var catalogue: String?
    @Option(
        "Refuse a catalogue that this key has not signed, or whose signature has expired (PEM, hex or C).",
        valueName: "file", completion: .file())
    package var requireSignedCatalogue: String?

    package var path: String {
        catalogue ?? Defaults[.catalogue] ?? SharedFiles.firstReadable(of: Self.paths) ?? Self.paths[0]
    }

    private static var paths: [String] { SharedFiles.paths(of: "catalogue", inCheckout: "manifests") }

    package var given: [String] {
        [("--catalogue", catalogue), ("--require-signed-catalogue", requireSignedCatalogue)]
            .filter { $1 != nil }.map(\.0)
    }

    /// The catalogue. With a required key, checks that it is signed, and not older than the one in the journal at
    /// `journal` (by default the usual journal).
    package func folder(
        checkedByJournalAt journal: String? = nil, acceptingOlder acceptsOlder: Bool = false
    ) async throws -> (CatalogueFolder, seal: VerifiedSeal?) {
        if catalogue == nil, Defaults[.catalogue] == nil, SharedFiles.firstReadable(of: Self.paths) == nil {
            throw CommandFailure(
                .file.fileNotFound, during: "looking for the catalogue",
                message: "there is no catalogue in \(Self.paths.joined(separator: ", "))",
                nextStep: "name one with --catalogue; docs/catalogue.md shows how to write one")
        }
        let folder = try CatalogueFolder(path: path)
        guard let requireSignedCatalogue else { return (folder, nil) }
        let seal = try folder.checkSeal(by: requireSignedCatalogue)
        try await seal?.check(againstJournalAt: journal, acceptingOlder: acceptsOlder)
        return (folder, seal)
    }

    /// The catalogue if one is named, for commands that also work without one.
    package func folderIfNamed() async throws -> CatalogueFolder? {
        catalogue == nil ? nil : try await folder().0
    }

    /// Refuses a key without a catalogue, for commands that also work without one.
    package func refuseKeyAlone() throws {
        try require(
            catalogue != nil || requireSignedCatalogue == nil,
            "--require-signed-catalogue requires --catalogue")
    }

    package init() {}
}
