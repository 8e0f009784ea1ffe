import ByteCoding

extension SUOTAImage {
    /// Seconds since 1970 at the start of 2010: no chip of these families is older.
    static let firstTimestamp: UInt32 = 1_262_304_000

    /// What no device refuses, and a person should know before a release (suota-image.md, Checks).
    func advice() -> [ByteFinding] { timestampFindings() + extensionFindings() + [authenticity] }

    private func timestampFindings() -> [ByteFinding] {
        let offset = header.family.timestampOffset
        switch header.timestamp {
        case 0:
            return [
                ByteFinding(
                    "timestamp-missing", .note, offset: offset, field: "timestamp",
                    "is 0: only its version tells this image from others")
            ]
        case ..<Self.firstTimestamp:
            return [
                ByteFinding(
                    "timestamp-implausible", .warning, offset: offset, field: "timestamp",
                    "is \(header.timestamp) seconds since 1970, before the first of these chips")
            ]
        default: return []
        }
    }

    private func extensionFindings() -> [ByteFinding] {
        let content = headerExtension
        var found: [ByteFinding] = []
        var seen: [UInt16: Int] = [:]
        for section in content.sections {
            seen[section.type, default: 0] += 1
            guard seen[section.type] == 2 else { continue }
            found.append(
                ByteFinding(
                    "section-repeated", .warning, offset: section.offset, field: "extension section",
                    "\(section.name) stands there more than once"))
        }
        if content.isCutOff {
            found.append(
                ByteFinding(
                    "section-truncated", .warning, offset: content.restOffset, field: "extension section",
                    "goes on after the start of the payload"))
        } else if !content.endsWithFilling {
            found.append(
                ByteFinding(
                    "extension-unknown", .note, offset: content.restOffset, field: "header extension",
                    "has bytes that are neither a known section nor filling"))
        }
        return found
    }

    private var authenticity: ByteFinding {
        let isSignature = { (section: ExtensionSection) in
            section.type == ExtensionSection.signature && !section.content.isEmpty
        }
        if let section = sections.first(where: isSignature) {
            return ByteFinding(
                "signature-unchecked", .note, offset: section.offset, field: "extension section",
                "is a signature, which is not checked here")
        }
        return ByteFinding(
            "unauthenticated", .note, offset: 0, field: "image",
            "has no signature: its checksums protect against damage, not against forgery")
    }
}
