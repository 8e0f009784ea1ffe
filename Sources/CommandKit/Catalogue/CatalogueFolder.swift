package import ArgumentParser
import Bytes
package import Firmware
import Synchronization
import Tray
package import TrayJournal
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
        guard !names.isEmpty else {
            throw CommandFailure(
                .command.catalogueInvalid, during: "reading the catalogue",
                message: "\(path) has no .yaml file")
        }
        let texts = try names.map { name throws(CommandFailure) in
            try FileContent(path: Self.path(of: name, in: path))
        }
        self.path = path
        files = zip(names, texts).map { CatalogueSeal.File(name: $0, sha256: $1.sha256) }
        (catalogue, errors) = Catalogue.reading(texts.map { ($0.path, $0.bytes) })
    }

    package static func sealPath(in folder: String) -> String { path(of: CatalogueSeal.fileName, in: folder) }

    private static func path(of name: String, in folder: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// Throws if the catalogue differs from what the key in the file `keyPath` signed, or if the signature has expired.
    /// Without a key, checks only the hashes and expiry of an existing seal. Returns the seal if the key has signed it.
    @discardableResult
    package func checkSeal(by keyPath: String?) throws(CommandFailure) -> VerifiedSeal? {
        let key = try keyPath.map { (path) throws(CommandFailure) in try KeyFile(path: path).verifyingKey() }
        let sealPath = Self.sealPath(in: path)
        let text: [UInt8]
        do throws(CommandFailure) { text = try FileContent(path: sealPath).bytes } catch {
            guard error.code == .file.fileNotFound else { throw error }
            guard key != nil else { return nil }
            throw refusal(.catalogue.unsigned, "\(path) has no \(CatalogueSeal.fileName)")
        }
        let (seal, signature): (CatalogueSeal, [UInt8])
        do throws(YAMLProblem) { (seal, signature) = try CatalogueSeal.reading(text) } catch {
            throw CommandFailure(.catalogue.signatureInvalid, during: step, error, in: sealPath)
        }
        guard key?.verifies(signature, of: seal.statement) ?? true else {
            throw refusal(
                .catalogue.signatureInvalid,
                "\(sealPath) was not signed with the key in \(keyPath ?? "the file")")
        }
        if let difference = seal.difference(from: files) {
            throw refusal(.catalogue.signatureInvalid, "\(path): \(difference)")
        }
        guard WallTime.unixNow < seal.expires else {
            throw refusal(.catalogue.expired, "the signature expired at \(UnixTime.text(seal.expires))")
        }
        return key.map {
            VerifiedSeal(path: sealPath, key: $0.fingerprint, counter: seal.counter, content: seal.content)
        }
    }

}

extension CatalogueFirmware {
    /// The path of its package; nil if the catalogue names none.
    package var packagePath: String? { file.map(inCatalogueFolder) }

    /// Resolves a path from the catalogue's file, which is relative to that file.
    private func inCatalogueFolder(_ path: String) -> String {
        guard let end = place.file.lastIndex(of: "/") else { return path }
        return place.file[...end] + path
    }

    /// The content of its package; nil if it is not named or cannot be read.
    package var package: (any VendorFile)? {
        guard let packagePath, let file = try? FileContent(path: packagePath),
            case .firmware(let package)? = try? file.recognised()
        else { return nil }
        return package
    }

    /// Whether this program can send the package; true for a package that cannot be read, or that is not named.
    package var isSent: Bool {
        guard let packagePath else { return true }
        return Self.sent.withLock { known in
            if let isSent = known[packagePath] { return isSent }
            let isSent = package.map(Self.isSent) ?? true
            known[packagePath] = isSent
            return isSent
        }
    }

    /// Cached by path: a tray may have hundreds of beacons for one package.
    private static let sent = Mutex<[String: Bool]>([:])

    private static func isSent(_ package: any VendorFile) -> Bool {
        do throws(PlanRefusal) {
            _ = try package.plan(UpdateOptions())
            return true
        } catch .notSent { return false } catch { return true }
    }

    /// The path of the public key that has signed it; nil if the catalogue names none.
    package var keyPath: String? { key.map(inCatalogueFolder) }

    /// The release's package, read and checked against the entry.
    package func package(for model: CatalogueModel) throws(CommandFailure) -> (FileContent, any VendorFile) {
        guard let packagePath else {
            throw CommandFailure(
                .catalogue.fileMissing, during: "checking the package",
                message: "\(place): the catalogue names no package of \(version)")
        }
        let file = try FileContent(path: packagePath)
        if let flaw = flaws(of: file.bytes, for: model, try options()).first {
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
    package func packageFlaws(for model: CatalogueModel) -> [CatalogueFinding] {
        guard let packagePath else { return [] }
        do throws(CommandFailure) {
            return flaws(of: try FileContent(path: packagePath).bytes, for: model, try options())
        } catch {
            let code = error.exit == .noFile ? .catalogue.fileMissing : error.code
            return [CatalogueFinding(code, at: place, error.message)]
        }
    }
}

private let step = "checking the catalogue's signature"

private func refusal(_ code: FailureCode, _ message: String) -> CommandFailure {
    CommandFailure(code, during: step, message: message)
}

/// A seal with a verified signature, to compare with seals that were seen before.
package struct VerifiedSeal: Sendable {
    package let path: String
    /// The fingerprint of the key that has signed it.
    package let key: String
    package let counter: Int64
    package let content: String

    /// Throws if a newer catalogue of the same key was seen, or another of the same number; never with `isRisked`.
    package func check(against journal: Journal, risking isRisked: Bool = false) async throws {
        guard !isRisked, let known = try await journal.newestSeal(of: key) else { return }
        let seen = "seen on \(known.seen.toSeconds)"
        guard counter >= known.counter else {
            let number = counter == 0 ? "has no number" : "is number \(counter)"
            throw refusal(
                .catalogue.rolledBack,
                "\(path) \(number), and number \(known.counter) of the same key was \(seen)")
        }
        guard counter > known.counter || content == known.content else {
            throw refusal(
                .catalogue.numberReused,
                "\(path) is number \(counter), and another catalogue with this number of the same key was \(seen)"
            )
        }
    }

    /// Checks against the journal at `path`, or else the usual one, if it exists.
    package func check(knownBy path: String? = nil, risking isRisked: Bool = false) async throws {
        guard !isRisked, let path = path ?? (try? JournalOptions.parse([]).path()) else { return }
        let journal: Journal
        do throws(JournalError) { journal = try await Journal.reading(path) } catch {
            if error.problem == .missing { return }
            throw CommandFailure(error)
        }
        defer { journal.close() }
        try await check(against: journal)
    }

    /// Records the seal in `journal`. Seals of earlier versions have no number and cannot be distinguished.
    package func note(in journal: Journal) async throws(JournalError) {
        guard counter > 0 else { return }
        try await journal.note(SeenSeal(counter: counter, content: content, seen: .now), of: key)
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
        catalogue ?? Defaults[.catalogue] ?? SharedFiles.first(Self.places) ?? Self.places[0]
    }

    private static var places: [String] { SharedFiles.places("catalogue", inCheckout: "manifests") }

    package var given: [String] {
        [("--catalogue", catalogue), ("--require-signed-catalogue", requireSignedCatalogue)]
            .filter { $1 != nil }.map(\.0)
    }

    /// The catalogue. With a required key, checks that it is signed, and not older than the one in the journal at
    /// `journal` (by default the usual journal).
    package func folder(knownBy journal: String? = nil, risking isRisked: Bool = false) async throws -> (
        CatalogueFolder, seal: VerifiedSeal?
    ) {
        if catalogue == nil, Defaults[.catalogue] == nil, SharedFiles.first(Self.places) == nil {
            throw CommandFailure(
                .file.fileNotFound, during: "looking for the catalogue",
                message: "there is no catalogue in \(Self.places.joined(separator: ", "))",
                nextStep: "name one with --catalogue; docs/catalogue.md shows how to write one")
        }
        let folder = try CatalogueFolder(path: path)
        guard let requireSignedCatalogue else { return (folder, nil) }
        let seal = try folder.checkSeal(by: requireSignedCatalogue)
        try await seal?.check(knownBy: journal, risking: isRisked)
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
