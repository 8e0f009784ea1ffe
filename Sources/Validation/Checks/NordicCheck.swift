import NordicDFU

/// What a release of a Nordic package should wait for, beyond what bootloaders refuse.
struct NordicCheck {
    let package: NordicPackage
    let key: NordicPublicKey?

    /// Names of entries are listed up to this many.
    private static let listed = 5

    var flaws: [Flaw] { package.findings(key: key).map(Flaw.init) + uncheckedSignatures + strayEntries }

    private var uncheckedSignatures: [Flaw] {
        guard key == nil else { return [] }
        return package.parts.filter(\.initPacket.isSigned).map { part in
            Flaw(
                "signature-not-checked",
                Finding.Place(entry: part.datFile, field: "SignedCommand.signature"),
                "was not compared with a key; --public-key names the product's")
        }
    }

    private var strayEntries: [Flaw] {
        let names = package.ignoredEntries
        guard !names.isEmpty else { return [] }
        let shown = names.prefix(Self.listed).joined(separator: ", ")
        let more = names.count > Self.listed ? " and \(names.count - Self.listed) more" : ""
        return [Flaw("stray-entries", "the manifest does not name \(shown)\(more)")]
    }
}
