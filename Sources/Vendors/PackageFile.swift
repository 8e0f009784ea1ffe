public import Archives
public import NordicDFU

/// A firmware file, recognised by its content and never by its name.
public enum PackageFile: Sendable {
    /// A package of Nordic's Secure DFU.
    case nordicSecure(NordicPackage)
    /// A file that was recognised, but cannot be installed.
    case unsupported(UnsupportedFile)

    /// Recognises `file`; throws when it is meant to be a Nordic package or a ZIP file, but is broken.
    public init(recognising file: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws(PackageError) {
        if let foreign = FileSignature.recognise(file) {
            self = .unsupported(foreign)
            return
        }
        do {
            self = .nordicSecure(try NordicPackage(parsing: file, limits: limits))
        } catch .noManifest(elsewhere: nil) {
            self = .unsupported(UnsupportedFile(.zip))
        } catch .noManifest(let elsewhere?) {
            self = .unsupported(
                UnsupportedFile(.zip, hint: "\(elsewhere) is in a folder: zip the files, not the folder"))
        } catch .mcuboot {
            self = .unsupported(UnsupportedFile(.mcuboot))
        } catch .legacy {
            self = .unsupported(UnsupportedFile(.nordicLegacy))
        }
    }
}
