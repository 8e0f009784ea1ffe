public import Archives
import ByteCoding
public import DialogSUOTA
public import FBeacon
public import NordicDFU

/// A firmware file, recognised by its content and never by its name.
public enum PackageFile: Sendable {
    /// A package of Nordic's Secure DFU.
    case nordicSecure(NordicPackage)
    /// A package of Nordic's Legacy DFU, with or without a manifest.
    case nordicLegacy(LegacyPackage)
    /// A single image for Dialog's SUOTA service.
    case suota(SUOTAImage)
    /// A Feasycom file, or an open container with the same fields.
    case fbeacon(FBeaconFile)
    /// A file that was recognised, but cannot be installed.
    case unsupported(UnsupportedFile)

    /// Recognises `file`; throws when it is meant to be one of the formats that are read, but is broken.
    public init(recognising file: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws(PackageFileError) {
        if FileSignature.isArchive(file) {
            self = try Self.archive(file, limits: limits)
        } else if let image = try Self.suotaImage(file) {
            self = .suota(image)
        } else if let file = try Self.feasycomFile(file) {
            self = .fbeacon(file)
        } else {
            self = .unsupported(FileSignature.foreign(file))
        }
    }

    private static func archive(
        _ file: [UInt8], limits: ArchiveLimits
    ) throws(PackageFileError) -> PackageFile {
        do {
            return .nordicSecure(try NordicPackage(parsing: file, limits: limits))
        } catch .noManifest(elsewhere: nil) {
            return try legacyPackage(file, limits: limits)
        } catch .noManifest(let elsewhere?) {
            return .unsupported(
                UnsupportedFile(.zip, hint: "\(elsewhere) is in a folder: zip the files, not the folder"))
        } catch .mcuboot {
            return .unsupported(UnsupportedFile(.mcuboot))
        } catch .legacy {
            return try legacyPackage(file, limits: limits)
        } catch {
            throw .nordic(error)
        }
    }

    private static func legacyPackage(
        _ file: [UInt8], limits: ArchiveLimits
    ) throws(PackageFileError) -> PackageFile {
        do {
            return .nordicLegacy(try LegacyPackage(parsing: file, limits: limits))
        } catch .noManifest {
            return .unsupported(UnsupportedFile(.zip))
        } catch {
            throw .nordic(error)
        }
    }

    /// Two letters are no proof: what cannot be read and is text, or tells sizes that no firmware has, is no damaged
    /// image but something else.
    private static func suotaImage(_ file: [UInt8]) throws(PackageFileError) -> SUOTAImage? {
        guard HeaderFamily(signatureOf: file) != nil else { return nil }
        do { return try SUOTAImage(parsing: file) } catch {
            if FileSignature.isText(file) { return nil }
            if case .bytes(let place) = error, case .truncated(let needed, _) = place.reason,
                needed > ArchiveLimits().fileBytes
            {
                return nil
            }
            throw .suota(error)
        }
    }

    private static func feasycomFile(_ file: [UInt8]) throws(PackageFileError) -> FBeaconFile? {
        do { return try FBeaconFile(parsing: file) } catch {
            if error == .notFBeacon { return nil }
            throw .fbeacon(error)
        }
    }
}
