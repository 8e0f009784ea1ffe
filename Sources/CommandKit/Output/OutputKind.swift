package import Bytes

/// A kind of output file, and how an earlier file of the kind is recognised.
package enum OutputKind: Equatable, Sendable {
    /// A ZIP file.
    case package
    /// A file in another format: the format's name, to follow "a", and the possible first bytes.
    case made(String, beginnings: [[UInt8]])
    /// A btsnoop file.
    case capture
    /// Diagnostics of ``TextLogHandler``, which are appended.
    case log

    /// The form by which an existing file of the kind is recognised.
    package var form: FileForm {
        switch self {
        case .package:
            FileForm("package (ZIP)", beginnings: [[0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x05, 0x06]])
        case .made(let words, let beginnings): FileForm(words, beginnings: beginnings)
        case .capture: FileForm("btsnoop capture", beginnings: [Array("btsnoop\0".utf8)])
        case .log: FileForm("log of this program", Self.beginsWithTime)
        }
    }

    /// Whether a line begins with a time, as in the log: `2026-11-22T14:42:18`.
    @Sendable private static func beginsWithTime(_ head: [UInt8]) -> Bool {
        let pattern = Array("0000-00-00T00:00:00".utf8)
        return head.count > pattern.count
            && zip(head, pattern).allSatisfy { byte, mark in
                mark == UInt8(ascii: "0") ? Character(Unicode.Scalar(byte)).isWholeNumber : byte == mark
            }
    }
}
