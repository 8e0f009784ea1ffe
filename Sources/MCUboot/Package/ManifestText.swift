/// Makes the text of a manifest valid JSON.
enum ManifestText {
    /// `json` with hexadecimal numbers outside texts, such as 0xC000, replaced by decimal ones. JSON does not allow
    /// them, but some manifests have them; Nordic's library for iOS removes them.
    static func withDecimals(_ json: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(json.count)
        var position = 0
        var isInText = false
        while position < json.count {
            let byte = json[position]
            if isInText {
                if byte == UInt8(ascii: "\\"), position + 1 < json.count {
                    text += json[position...position + 1]
                    position += 2
                    continue
                }
                isInText = byte != UInt8(ascii: "\"")
            } else if let (number, end) = hexadecimal(in: json, at: position) {
                text += Array(String(number).utf8)
                position = end
                continue
            } else {
                isInText = byte == UInt8(ascii: "\"")
            }
            text.append(byte)
            position += 1
        }
        return text
    }

    /// The number of up to 16 hexadecimal digits after `0x` at `start`, and the index after it; nil if there is none.
    private static func hexadecimal(in json: [UInt8], at start: Int) -> (UInt64, end: Int)? {
        guard json[start] == UInt8(ascii: "0"), start + 2 < json.count,
            json[start + 1] | 0x20 == UInt8(ascii: "x")
        else { return nil }
        let digits = json[(start + 2)...].prefix { Character(UnicodeScalar($0)).isHexDigit }
        guard let number = UInt64(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
        return (number, digits.endIndex)
    }
}
