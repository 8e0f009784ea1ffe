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
                    self = .unsupported(UnsupportedFile(.zip, hint: advice, code: foreign.code))
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

/// Firmware in a ZIP file that is not itself a package: artifacts of continuous integration servers, and
/// releases of several files.
struct ArchivedPackages {
    /// The entries that are firmware, in the order of the archive.
    let names: [String]

    /// The most entries to inspect: each may be as large as a package.
    private static let most = 8

    /// Inspects `file`, one level deep.
    init(in file: [UInt8], vendors: [any Vendor], limits: ArchiveLimits) {
        guard let archive = try? ZipReader(file, limits: limits) else {
            names = []
            return
        }
        let endings = vendors.flatMap(\.fileExtensions)
        let candidates = archive.entries.filter { entry in
            !entry.isDirectory && endings.contains { entry.name.lowercased().hasSuffix($0) }
        }
        var names: [String] = []
        for entry in candidates.prefix(Self.most) {
            guard let content = try? archive.contents(of: entry.name, atMost: limits.entryBytes),
                vendors.contains(where: {
                    if case .firmware? = try? $0.recognise(content) { true } else { false }
                })
            else { continue }
            names.append(entry.name)
        }
        self.names = names
    }

    /// The advice for the archive; nil if it contains no firmware.
    var advice: Advice? {
        guard let first = names.first else { return nil }
        guard names.count > 1 else { return "this archive contains firmware: unpack it and use \(first)" }
        return
            "this archive contains \(names.joined(separator: ", ")): unpack it and use the file for the beacon"
    }
}
