import Bytes

/// Checks of a manifest before decoding: its JSON has to be unambiguous.
///
/// Decoders differ in what they tolerate: encodings other than UTF-8, a byte order mark, and repeated keys, where some
/// use the first value and some the last (RFC 8259, 4 and 8.1).
enum ManifestJSON {
    static func checkEncoding(of json: [UInt8]) throws(PackageError) {
        if json.starts(with: [0xEF, 0xBB, 0xBF]) { throw .manifestEncoding("begins with a byte order mark") }
        // JSON begins with ASCII characters, which have a zero byte in UTF-16 and UTF-32 (RFC 4627, 3).
        let isWide = json.count > 1 && json.prefix(4).contains(0)
        if isWide || json.starts(with: [0xFE, 0xFF]) || json.starts(with: [0xFF, 0xFE]) {
            throw .manifestEncoding("is in UTF-16 or UTF-32")
        }
        guard String(validating: json, as: UTF8.self) != nil else {
            throw .manifestEncoding("is not valid UTF-8")
        }
    }

    /// Refuses an object with a repeated key; `json` has already been decoded once, so it is well-formed.
    static func checkKeys(of json: [UInt8]) throws(PackageError) {
        // The keys found so far of each open object, outermost first; nil for an open list.
        var open: [Set<String>?] = []
        var position = 0
        while position < json.count {
            switch json[position] {
            case UInt8(ascii: "{"): open.append([])
            case UInt8(ascii: "["): open.append(nil)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
            case UInt8(ascii: "\""):
                let end = endOfString(in: json, from: position)
                if let key = key(json[position..<end], before: json[end...]), var keys = open.last ?? nil {
                    guard keys.insert(key).inserted else { throw .manifestKeyRepeated(key, offset: position) }
                    open[open.count - 1] = keys
                }
                position = end
                continue
            default: break
            }
            position += 1
        }
    }

    private static func endOfString(in json: [UInt8], from start: Int) -> Int {
        var position = start + 1
        while position < json.count, json[position] != UInt8(ascii: "\"") {
            position += json[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position + 1, json.count)
    }

    /// The unescaped text of `string` if a colon makes it a key: `"\u0061"` is `"a"`.
    private static func key(_ string: ArraySlice<UInt8>, before rest: ArraySlice<UInt8>) -> String? {
        guard rest.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: ":") else {
            return nil
        }
        return try? JSONValue(json: Array(string)).text
    }
}
