import Bytes

/// The path of a checked file in reports for code hosts: relative to the repository, if that is the working folder.
struct ReportPath: Equatable {
    /// Without `./`, doubled slashes and the working folder; paths outside it stay absolute.
    let text: String

    init(_ path: String, in folder: String) {
        var parts = path.split(separator: "/").filter { $0 != "." }
        let base = folder.split(separator: "/")
        var isAbsolute = path.hasPrefix("/")
        if isAbsolute, !base.isEmpty, parts.count > base.count, Array(parts.prefix(base.count)) == base {
            parts.removeFirst(base.count)
            isAbsolute = false
        }
        text = (isAbsolute ? "/" : "") + parts.joined(separator: "/")
    }

    /// As a URI: relative paths stay relative.
    var uri: String {
        let safe = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
        let escaped = PathText.bytes(of: text).reduce(into: "") { text, byte in
            if safe.contains(byte) {
                text.append(Character(Unicode.Scalar(byte)))
            } else {
                text += "%" + HexText.digits(byte, uppercase: true)
            }
        }
        return text.hasPrefix("/") ? "file://" + escaped : escaped
    }
}
