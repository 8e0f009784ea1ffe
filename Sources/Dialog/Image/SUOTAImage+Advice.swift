import Bytes
import UpdateModel

extension SUOTAImage {
    /// Seconds from 1970 to the start of 2010: no chip of these families is older.
    static let firstTimestamp: UInt32 = 1_262_304_000

    /// Notes that no device cares about, but a person should know before a release (suota-image.md, Checks).
    func advice() -> [Finding] { timestampFindings() + extensionFindings() + [authenticity] }

    private func timestampFindings() -> [Finding] {
        let offset = header.family.timestampOffset
        switch header.timestamp {
        case 0:
            return [
                Finding(
                    "timestamp-missing", .note, offset: offset, field: "timestamp",
                    "is 0: only its version distinguishes this image from others")
            ]
        case ..<Self.firstTimestamp:
            return [
                Finding(
                    "timestamp-implausible", .warning, offset: offset, field: "timestamp",
                    "is \(header.timestamp) seconds since 1970, before the first of these chips")
            ]
        default: return []
        }
    }

    private func extensionFindings() -> [Finding] {
        let content = headerExtension
        var found: [Finding] = []
        var seen: [UInt16: Int] = [:]
        for section in content.sections {
            seen[section.type, default: 0] += 1
            guard seen[section.type] == 2 else { continue }
            found.append(
                Finding(
                    "section-repeated", .warning, offset: section.offset, field: "extension section",
                    "\(section.name) occurs more than once"))
        }
        if content.isCutOff {
            found.append(
                Finding(
                    "section-truncated", .warning, offset: content.restOffset, field: "extension section",
                    "extends beyond the start of the payload"))
        } else if !content.endsWithFilling {
            found.append(
                Finding(
                    "extension-unknown", .note, offset: content.restOffset, field: "header extension",
                    "has bytes that are neither a known section nor padding"))
        }
        return found
    }

    private var authenticity: Finding {
        let isSignature = { (section: ExtensionSection) in
            section.type == ExtensionSection.signature && !section.content.isEmpty
        }
        if let section = sections.first(where: isSignature) {
            return Finding(
                "signature-unchecked", .note, offset: section.offset, field: "extension section",
                "is a signature, which is not checked here")
        }
        return Finding(
            "unauthenticated", .note, offset: 0, field: "image",
            "has no signature: its checksums protect against damage, not against forgery")
    }
}
