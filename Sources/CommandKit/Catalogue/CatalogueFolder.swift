import Bytes
package import Firmware
import Synchronization
package import UpdateModel

/// The folder of a catalogue, with access to the packages that it names.
package struct CatalogueFolder {
    package let path: String
    package let catalogue: Catalogue
    /// The errors of files that cannot be read.
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
        let names = try FolderListing(path: path).names
        var files: [(name: String, text: [UInt8])] = []
        for name in names where name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
            let file = try FirmwareFile(path: path.hasSuffix("/") ? path + name : "\(path)/\(name)")
            files.append((file.path, file.bytes))
        }
        guard !files.isEmpty else {
            throw CommandFailure(
                .command.catalogueInvalid, during: "reading the catalogue",
                message: "\(path) has no .yaml file")
        }
        self.path = path
        self.files = files.map { file in
            CatalogueSeal.File(
                name: file.name.split(separator: "/").last.map(String.init) ?? file.name,
                sha256: HexText.encode(SHA256Digest.digest(file.text)))
        }
        (catalogue, errors) = Catalogue.reading(files)
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
        guard let packagePath, let file = try? FirmwareFile(path: packagePath),
            case .firmware(let package)? = try? file.recognised()
        else { return nil }
        return package
    }

    /// Whether this program can send the package. Assumed for one that cannot be read, or that is not named.
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
    package func package(for model: CatalogueModel) throws(CommandFailure) -> (FirmwareFile, any VendorFile) {
        guard let packagePath else {
            throw CommandFailure(
                .catalogue.fileMissing, during: "checking the package",
                message: "\(place): the catalogue names no package of \(version)")
        }
        let file = try FirmwareFile(path: packagePath)
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
            return flaws(of: try FirmwareFile(path: packagePath).bytes, for: model, try options())
        } catch {
            let code = error.exit == .noFile ? .catalogue.fileMissing : error.code
            return [CatalogueFinding(code, at: place, error.message)]
        }
    }
}
