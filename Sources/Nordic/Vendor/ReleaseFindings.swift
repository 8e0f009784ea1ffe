import UpdateModel

/// Findings that block a release of a Nordic package, Secure or Legacy, beyond what bootloaders refuse.
struct ReleaseFindings {
    private let findings: [Finding]
    private let signatures: [Finding.Place]
    private let ignoredEntries: [String]
    private let hasKey: Bool

    init(package: NordicPackage, key: NordicPublicKey?) {
        findings = package.findings(key: key)
        signatures = package.parts.filter(\.initPacket.isSigned).map {
            Finding.Place(entry: $0.datFile, field: "SignedCommand.signature")
        }
        ignoredEntries = package.ignoredEntries
        hasKey = key != nil
    }

    init(package: LegacyPackage, key: NordicPublicKey?) {
        findings = package.findings(key: key)
        signatures = package.parts.filter { $0.initPacket?.end.signature != nil }.map {
            Finding.Place(entry: $0.datFile, field: "init_packet_ecds")
        }
        ignoredEntries = package.ignoredEntries
        hasKey = key != nil
    }

    /// The most entry names to list.
    private static let listed = 5

    var all: [Finding] { findings + uncheckedSignatures + strayEntries }

    private var uncheckedSignatures: [Finding] {
        guard !hasKey else { return [] }
        return signatures.map {
            Finding(
                "key-not-given", .error, $0, "was not compared with a key")
        }
    }

    private var strayEntries: [Finding] {
        let names = ignoredEntries
        guard !names.isEmpty else { return [] }
        let shown = names.prefix(Self.listed).joined(separator: ", ")
        let more = names.count > Self.listed ? " and \(names.count - Self.listed) more" : ""
        return [Finding("stray-entries", .error, "the manifest does not name \(shown)\(more)")]
    }
}
