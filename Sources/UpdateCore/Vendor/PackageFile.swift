public import FirmwareModel

/// A file, recognised by its content and never by its name.
public enum PackageFile: Sendable {
    /// One in a vendor's format.
    case firmware(any VendorFile)
    /// One that was recognised, and cannot be installed over the air.
    case unsupported(UnsupportedFile)
}
