import NordicDFU

/// What a release of a Nordic package, Secure or Legacy, should wait for, beyond what bootloaders refuse.
struct NordicCheck {
    private let findings: [PackageFinding]
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

    /// Names of entries are listed up to this many.
    private static let listed = 5

    var flaws: [Flaw] { findings.map(Flaw.init) + uncheckedSignatures + strayEntries }

    private var uncheckedSignatures: [Flaw] {
        guard !hasKey else { return [] }
        return signatures.map {
            Flaw("key-not-given", $0, "was not compared with a key; --public-key names the product's")
        }
    }

    private var strayEntries: [Flaw] {
        let names = ignoredEntries
        guard !names.isEmpty else { return [] }
        let shown = names.prefix(Self.listed).joined(separator: ", ")
        let more = names.count > Self.listed ? " and \(names.count - Self.listed) more" : ""
        return [Flaw("stray-entries", "the manifest does not name \(shown)\(more)")]
    }
}
