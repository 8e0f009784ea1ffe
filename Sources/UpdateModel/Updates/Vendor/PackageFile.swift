/// A file, recognised by its content, never by its name.
public enum PackageFile: Sendable {
    /// A file in a vendor's format.
    case firmware(any VendorFile)
    /// A file that was recognised, but cannot be installed over the air.
    case unsupported(UnsupportedFile)
}
