public import Bytes
public import UpdateModel

extension PackageFile {
    /// Recognises `file` by its content; throws for a broken file of a known format.
    public init(recognising file: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws(FirmwareFileError)
    {
        let vendors = KnownVendors.list(limits: limits)
        for vendor in vendors {
            if let found = try vendor.recognise(file) {
                if case .unsupported(let foreign) = found, foreign.kind == .zip,
                    let advice = ArchivedPackages(in: file, vendors: vendors, limits: limits).advice
                {
                    self = .unsupported(UnsupportedFile(.zip, hint: advice))
                    return
                }
                self = found
                return
            }
        }
        self = .unsupported(
            FileSignature.foreign(file) { vendors.lazy.compactMap { $0.lookalike(file) }.first })
    }
}
