import Bytes
import CommandKit
import Firmware
import Synchronization
import UpdateModel

/// The packages of a run. Each is read once, so a file that changes during the run has no effect on later
/// units.
final class PackageCache: Sendable {
    /// A package as it was read.
    struct Package: Sendable {
        let path: String
        let file: any VendorFile
        let sha256: String
    }

    private let packages = Mutex<[String: Package]>([:])

    /// The package in the file at `path`.
    func package(at path: String) throws -> Package {
        if let known = packages.withLock({ $0[path] }) { return known }
        let file = try FirmwareFile(path: path)
        return keep(file, try file.vendorFile())
    }

    /// The package of a catalogue's release, checked against the catalogue.
    func package(of release: CatalogueFirmware, for family: CatalogueModel) throws -> Package {
        if let path = release.packagePath, let known = packages.withLock({ $0[path] }) { return known }
        let (file, package) = try release.package(for: family)
        return keep(file, package)
    }

    private func keep(_ file: FirmwareFile, _ content: any VendorFile) -> Package {
        let package = Package(
            path: file.path, file: content, sha256: file.sha256)
        packages.withLock { $0[file.path] = package }
        return package
    }
}
