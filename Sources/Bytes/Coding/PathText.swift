import Glibc

/// A path as text, without loss.
///
/// To the kernel a file name is any bytes but 0 and `/`. A Swift string cannot hold bytes that are not UTF-8:
/// they would become U+FFFD, which names another file. Here each of them is one character of the last private
/// plane: U+10FF80 to U+10FFFF for 0x80 to 0xFF. The UTF-8 of these characters themselves is encoded the same way,
/// byte by byte, so every name has exactly one text and every text one name. The program handles such a text
/// like any path; `systemPath` is for the kernel, `shown` for people.
public enum PathText {
    private static let base: UInt32 = 0x10FF00
    private static let private80toFF: ClosedRange<UInt32> = 0x10FF80...0x10FFFF

    public static func text(of bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        if let text = String(validating: bytes, as: UTF8.self), !hasForeignBytes(text) { return text }
        var text = String.UnicodeScalarView()
        var position = 0
        while position < bytes.count {
            if let scalar = scalar(in: bytes, at: position), !private80toFF.contains(scalar.value) {
                text.append(scalar)
                position += UTF8.width(scalar)
            } else {
                // Each byte of an ill-formed sequence is 0x80 or above.
                text.append(Unicode.Scalar(base + UInt32(bytes[position])) ?? "\u{FFFD}")
                position += 1
            }
        }
        return String(text)
    }

    /// The text of the bytes before the first zero.
    public static func text(cString bytes: UnsafePointer<CChar>) -> String {
        text(of: UnsafeBufferPointer(start: bytes, count: strlen(bytes)).map(UInt8.init(bitPattern:)))
    }

    /// The value of the environment variable `name`; nil if it is not set.
    public static func variable(_ name: String) -> String? { getenv(name).map { text(cString: $0) } }

    public static func bytes(of text: String) -> [UInt8] {
        guard hasForeignBytes(text) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in
            byte(of: scalar).map { [$0] } ?? Array(String(scalar).utf8)
        }
    }

    /// Whether the name is not UTF-8.
    public static func hasForeignBytes(_ text: String) -> Bool {
        text.unicodeScalars.contains { byte(of: $0) != nil }
    }

    /// The text for people: bytes that are not UTF-8 as `\xff`.
    public static func shown(_ text: String) -> String {
        guard hasForeignBytes(text) else { return text }
        return text.unicodeScalars.map { scalar in
            byte(of: scalar).map { "\\x" + HexText.encode([$0]) } ?? String(scalar)
        }.joined()
    }

    /// The byte that `scalar` encodes; nil for an ordinary one.
    public static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        private80toFF.contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value) : nil
    }

    /// The character whose UTF-8 begins at `position`; nil if there is none.
    private static func scalar(in bytes: [UInt8], at position: Int) -> Unicode.Scalar? {
        var rest = bytes[position..<min(position + 4, bytes.count)].makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
        return scalar
    }
}

extension String {
    /// A path (``PathText``) for system calls, with the zero at its end.
    public var systemPath: [CChar] { PathText.bytes(of: self).map { CChar(bitPattern: $0) } + [0] }

    /// The last name in this path.
    package var lastName: String { split(separator: "/").last.map(String.init) ?? self }

    /// What a relative path begins with to start at the folder of this file: empty without a folder.
    package var folderPrefix: String { lastIndex(of: "/").map { String(self[...$0]) } ?? "" }

    /// The folder of the file at this path.
    package var parentFolder: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// The path of `name` in the folder at this path.
    package func entry(_ name: String) -> String { hasSuffix("/") ? self + name : self + "/" + name }

    /// This path from `folder` on; nil if it is not below it.
    package func below(_ folder: String) -> String? {
        let start = folder.entry("")
        return hasPrefix(start) ? String(dropFirst(start.count)) : nil
    }
}
