import FoundationEssentials

/// A part of a text between `-----BEGIN label-----` and `-----END label-----` (RFC 7468).
public struct PEMBlock: Sendable {
    /// Its label, such as `PUBLIC KEY`.
    public let label: String
    /// The content; nil if it is not Base64, for example because of the headers of an encrypted key.
    public let bytes: [UInt8]?
    /// Whether a password is needed to read it: by its label (RFC 5958), or by the header of the older form (RFC 1421).
    public let isEncrypted: Bool

    /// All blocks of `text` in order; the text around them is ignored.
    public static func blocks(in text: String) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var open: (label: Substring, lines: String)?
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.drop(while: \.isWhitespace)
            if let label = line.label(after: "-----BEGIN ") {
                open = (label, "")
            } else if let label = line.label(after: "-----END ") {
                if let block = open, block.label == label {
                    let content = Data(base64Encoded: block.lines).map { Array($0) }
                    let isEncrypted =
                        label == "ENCRYPTED PRIVATE KEY" || block.lines.hasPrefix("Proc-Type:4,ENCRYPTED")
                    blocks.append(PEMBlock(label: String(label), bytes: content, isEncrypted: isEncrypted))
                }
                open = nil
            } else {
                open?.lines += line.filter { !$0.isWhitespace }
            }
        }
        return blocks
    }

    /// The content of the first block with this label in `text`, after `start`; nil if it does not begin with that.
    static func key(in text: String, label: String, after start: [UInt8]) -> [UInt8]? {
        guard let der = blocks(in: text).first(where: { $0.label == label })?.bytes, der.starts(with: start)
        else { return nil }
        return Array(der.dropFirst(start.count))
    }

    /// The text of one block, with lines of 64 characters and a newline at the end.
    public static func text(label: String, _ bytes: [UInt8]) -> String {
        let content = Data(bytes).base64EncodedString(options: [
            .lineLength64Characters, .endLineWithLineFeed,
        ])
        return "-----BEGIN \(label)-----\n\(content)\n-----END \(label)-----\n"
    }
}

extension Substring {
    fileprivate func label(after mark: String) -> Substring? {
        guard hasPrefix(mark) else { return nil }
        let rest = dropFirst(mark.count)
        guard let end = rest.firstIndex(of: "-"), rest[end...].hasPrefix("-----") else { return nil }
        return rest[..<end]
    }
}
