public import Archives
public import FirmwareModel
public import UpdateCore

extension PackageFile {
    /// Recognises `file`; throws when it is meant to be one of the formats that are read, but is broken.
    public init(recognising file: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws(FirmwareFileError)
    {
        let vendors = KnownVendors.list(limits: limits)
        for vendor in vendors {
            if let found = try vendor.recognise(file) {
                self = found
                return
            }
        }
        self = .unsupported(
            FileSignature.foreign(file) { vendors.lazy.compactMap { $0.lookalike(file) }.first })
    }
}
