import UpdateModel

extension PackageFile {
    /// The kind, as `inspect` names it.
    var kindName: String {
        switch self {
        case .firmware(let file): file.kind.rawValue
        case .unsupported(let file): file.kind.rawValue
        }
    }

    /// The firmware; nil for a file that beacons do not accept.
    var vendorFile: (any VendorFile)? { if case .firmware(let file) = self { file } else { nil } }
}
