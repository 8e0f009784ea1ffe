import Bytes

extension NordicPublicKey {
    /// Reads the key in `text`: PEM of a public key, PEM of a private key (SEC 1 or PKCS #8), or the 128 hexadecimal
    /// digits or the C array that `nrfutil keys display` prints.
    public init(text: String) throws(KeyTextError) {
        let blocks = PEMBlock.blocks(in: text).filter { $0.label != "EC PARAMETERS" }
        let keys = blocks.filter(\.isKey)
        if !keys.isEmpty {
            // An encrypted private key is not readable, and need not be if the public key is there too.
            let hasPublic = keys.contains { $0.label == "PUBLIC KEY" }
            self = try Self.key(inAll: hasPublic ? keys.filter { !$0.isEncrypted } : keys)
        } else if let block = blocks.first {
            throw block.refusal
        } else if text.contains("{") {
            try self.init(checking: try Self.elements(ofCode: text))
        } else {
            try self.init(checking: try Self.digits(of: text))
        }
    }

    /// The key that all `blocks` share: some files have both halves of a key, or one half in two formats.
    private static func key(inAll blocks: [PEMBlock]) throws(KeyTextError) -> NordicPublicKey {
        try blocks.only(\.wireBytes) { (block) throws(KeyTextError) in
            if block.label.hasSuffix("PRIVATE KEY") { return try NordicPrivateKey(block).publicKey }
            guard block.label == "PUBLIC KEY", let key = block.bytes.flatMap(P256PublicKey.init(der:)) else {
                throw block.refusal
            }
            return NordicPublicKey(key)
        }
    }

    /// PEM (`PUBLIC KEY`), as OpenSSL and nrfutil write it.
    public var pem: String { PEMBlock.text(label: "PUBLIC KEY", key.der) }

    /// 128 hexadecimal digits: X then Y, each with its least significant byte first, as nrfutil prints them.
    public var hex: String { HexText.encode(wireBytes) }

    /// The C array for a bootloader's source (`dfu_public_key.c`), as nrfutil prints it, without a date.
    public var code: String {
        let halves = [wireBytes.prefix(32), wireBytes.suffix(32)].map { half in
            "    " + half.map { "0x" + HexText.encode([$0]) }.joined(separator: ", ")
        }
        return """
            #include "stdint.h"
            #include "compiler_abstraction.h"

            /** @brief Public key used to verify DFU images */
            __ALIGN(4) const uint8_t pk[64] =
            {
            \(halves.joined(separator: ",\n"))
            };

            """
    }

    private init(checking bytes: [UInt8]) throws(KeyTextError) {
        guard bytes.count == 64 else { throw .wrongLength(bytes: bytes.count) }
        guard let key = NordicPublicKey(wire: bytes) else { throw .notOnCurve }
        self = key
    }

    /// The digits after a title that ends with a colon, or those of the whole text.
    private static func digits(of text: String) throws(KeyTextError) -> [UInt8] {
        let tail = text.lastIndex(of: ":").map { text[text.index(after: $0)...] } ?? text[...]
        // Terminals and mail programs insert white space in a number of this length.
        guard let bytes = try? HexText.decode(String(tail)), !bytes.isEmpty else { throw .noKey }
        return bytes
    }

    /// The elements in the first braces, as bytes.
    private static func elements(ofCode text: String) throws(KeyTextError) -> [UInt8] {
        let code = withoutComments(text)
        guard let open = code.firstIndex(of: "{"),
            let close = code[open...].firstIndex(of: "}")
        else { throw .noKey }
        let arrays = code.count { $0 == "{" }
        guard arrays == 1 else { throw .severalKeys(arrays) }
        var bytes: [UInt8] = []
        for element in code[code.index(after: open)..<close].split(separator: ",") {
            let word = element.trimmed
            // A trailing comma is allowed.
            if word.isEmpty { continue }
            let isHex = word.hasPrefix("0x") || word.hasPrefix("0X")
            guard let byte = isHex ? UInt8(word.dropFirst(2), radix: 16) : UInt8(word) else {
                throw .codeMalformed(index: bytes.count)
            }
            bytes.append(byte)
        }
        return bytes
    }

    private static func withoutComments(_ text: String) -> String {
        var result = ""
        for (index, piece) in text.split(separator: "/*", omittingEmptySubsequences: false).enumerated() {
            // After a comment's start, only the text after its end counts.
            guard index > 0 else {
                result += piece
                continue
            }
            result += piece.split(separator: "*/", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
                .joined()
        }
        return result.split(whereSeparator: \.isNewline)
            .map { $0.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false).first ?? "" }
            .joined(separator: "\n")
    }
}

extension Substring {
    /// Without white space at both ends.
    fileprivate var trimmed: Substring {
        let rest = drop(while: \.isWhitespace)
        return rest.lastIndex { !$0.isWhitespace }.map { rest[...$0] } ?? ""
    }
}
