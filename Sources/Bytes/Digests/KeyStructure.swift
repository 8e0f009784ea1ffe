import FoundationEssentials

/// The structure of a DER key: its algorithm, its curve, and its public point.
///
///     PUBLIC KEY        { { algorithm, parameters }, bit string }                  RFC 5280, 4.1
///     PRIVATE KEY       { version, { algorithm, parameters }, octet string, … }    RFC 5208, 5
///     EC PRIVATE KEY    { version, octet string, [0] curve, [1] bit string }       RFC 5915, 3
///
/// A curve is given by its identifier, or by its numbers ("explicit parameters").
public struct KeyStructure: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case rsa
        case curve(String)
        /// A curve given by its numbers, whichever it is.
        case explicitParameters
        /// The algorithm or curve with this identifier.
        case other(String)

        /// The curve of Nordic's keys.
        public static let p256 = Kind.curve("P-256")
    }

    public let kind: Kind
    /// The bit string of a public key: for curves a point. Nil for a private key.
    public let publicBytes: [UInt8]?

    /// Parses a structure; nil if it is none of the three.
    public init?(der: [UInt8]) {
        guard let parts = DERElement.sequence(der[...]), let first = parts.first else { return nil }
        if first.tag == 0x30 {
            guard let kind = Self.kind(ofAlgorithm: first), parts.count > 1 else { return nil }
            self.kind = kind
            publicBytes = parts.count == 2 ? parts[1].bits : nil
        } else if first.tag == 0x02, parts.count > 1, parts[1].tag == 0x30 {
            guard let kind = Self.kind(ofAlgorithm: parts[1]) else { return nil }
            self.kind = kind
            publicBytes = nil
        } else if first.tag == 0x02, let curve = parts.first(where: { $0.tag == 0xA0 })?.elements?.first {
            kind = Self.kind(ofCurve: curve)
            publicBytes = nil
        } else {
            return nil
        }
    }

    /// Whether `der` is exactly one structure in DER that can be a private key: PKCS #8, SEC 1 or PKCS #1.
    static func isPrivateKey(_ der: [UInt8]) -> Bool {
        guard let parts = DERElement.sequence(der[...]), let first = parts.first else { return false }
        return first.tag == 0x02 && parts.count > 1
    }

    /// The secret number in a private key of P-256; in SEC 1, the curve may be missing. Nil if `der` is no such key.
    static func scalar(ofP256 der: [UInt8]) -> [UInt8]? {
        var parts = DERElement.sequence(der[...]) ?? []
        // PKCS #8 may end with attributes.
        if [[0x02, 0x30, 0x04], [0x02, 0x30, 0x04, 0xA0]].contains(parts.map(\.tag)),
            parts[0].content == [0], kind(ofAlgorithm: parts[1]) == .p256
        {
            parts = DERElement.sequence(parts[2].content) ?? []
        }
        guard parts.prefix(2).map(\.tag) == [0x02, 0x04], parts[0].content == [1],
            [[], [0xA0], [0xA1], [0xA0, 0xA1]].contains(parts.dropFirst(2).map(\.tag))
        else { return nil }
        for part in parts.dropFirst(2) {
            guard let inner = part.elements, inner.count == 1,
                part.tag == 0xA0 ? kind(ofCurve: inner[0]) == .p256 : inner[0].bits != nil
            else { return nil }
        }
        return Array(parts[1].content)
    }

    private static func kind(ofAlgorithm sequence: DERElement) -> Kind? {
        guard let parts = sequence.elements, let algorithm = parts.first, algorithm.tag == 0x06 else {
            return nil
        }
        switch algorithm.identifier {
        case "1.2.840.10045.2.1": return parts.count == 2 ? kind(ofCurve: parts[1]) : nil
        case "1.2.840.113549.1.1.1", "1.2.840.113549.1.1.10": return .rsa
        case "1.3.101.112": return .curve("Ed25519")
        case "1.3.101.113": return .curve("Ed448")
        case "1.3.101.110": return .curve("X25519")
        case let identifier: return .other(identifier)
        }
    }

    private static func kind(ofCurve element: DERElement) -> Kind {
        guard element.tag == 0x06 else { return .explicitParameters }
        return switch element.identifier {
        case "1.2.840.10045.3.1.7": .p256
        case "1.3.132.0.34": .curve("P-384")
        case "1.3.132.0.35": .curve("P-521")
        case "1.3.132.0.33": .curve("P-224")
        case "1.3.132.0.10": .curve("secp256k1")
        case let identifier: .other(identifier)
        }
    }
}

/// A tag, a length and that many bytes (X.690, 8.1), with lengths of up to three bytes.
private struct DERElement {
    let tag: UInt8
    let content: ArraySlice<UInt8>

    init?(_ bytes: inout ArraySlice<UInt8>) {
        guard let tag = bytes.popFirst(), let first = bytes.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard (1...3).contains(count), bytes.count >= count else { return nil }
            length = 0
            for _ in 0..<count { length = length << 8 | Int(bytes.removeFirst()) }
            // Every length has one form, the shortest (X.690, 10.1).
            guard length >= 0x80, length >> (8 * (count - 1)) > 0 else { return nil }
        }
        guard bytes.count >= length else { return nil }
        self.tag = tag
        content = bytes.prefix(length)
        bytes.removeFirst(length)
    }

    /// The content of a bit string of whole bytes.
    var bits: [UInt8]? { tag == 0x03 && content.first == 0 ? Array(content.dropFirst()) : nil }

    /// The elements of the sequence that `bytes` are; nil if they are anything else.
    static func sequence(_ bytes: ArraySlice<UInt8>) -> [DERElement]? {
        var rest = bytes
        guard let outer = DERElement(&rest), outer.tag == 0x30, rest.isEmpty else { return nil }
        return outer.elements
    }

    /// The elements of the content; nil if it is not a sequence of elements.
    var elements: [DERElement]? {
        var rest = content
        var found: [DERElement] = []
        while !rest.isEmpty {
            guard let next = DERElement(&rest) else { return nil }
            found.append(next)
        }
        return found
    }

    /// The content as an object identifier, with dots.
    var identifier: String {
        var numbers: [UInt64] = []
        var number: UInt64 = 0
        for byte in content {
            number = number &<< 7 | UInt64(byte & 0x7F)
            guard byte & 0x80 == 0 else { continue }
            numbers.append(number)
            number = 0
        }
        guard let first = numbers.first else { return "" }
        let head = first < 80 ? [first / 40, first % 40] : [2, first - 80]
        return (head + numbers.dropFirst()).map(String.init).joined(separator: ".")
    }
}

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
