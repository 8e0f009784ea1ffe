import Archives
import FirmwareModel
import UpdateCore

/// Firmware in a ZIP file that is no package itself: what servers of continuous integration make of a file, and releases with
/// several files in them.
struct ArchivedPackages {
    /// The entries that are firmware, in the order of the archive.
    let names: [String]

    /// More files are not looked at: each may be as large as a package.
    private static let most = 8

    /// Looks into `file`, one level deep.
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

    /// What to do with the file; nil where nothing in it is firmware.
    var advice: Advice? {
        guard let first = names.first else { return nil }
        guard names.count > 1 else {
            return "it holds \(first), which is firmware: unpack this file and give that one"
        }
        return
            "it holds \(names.joined(separator: ", ")): unpack this file and give the one that is for the beacon"
    }
}
