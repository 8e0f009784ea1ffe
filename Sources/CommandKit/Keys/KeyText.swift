import Glibc
package import UpdateModel

/// The text of a key from a file, or from a pipe as in `--key-file <(pass show key)`.
package struct KeyText {
    package let text: String
    private let path: String
    private let mode: mode_t

    /// In bytes. No key in any form is longer.
    private static let limit = 64 * 1024

    /// Reads the whole text; throws `code` if it is too long. A pipe is read until its writer closes it or the command
    /// is interrupted.
    package init(path: String, tooLong code: FailureCode) throws(CommandFailure) {
        let file = try InputFile(path: path)
        guard let bytes = try file.contents(atMost: Self.limit) else {
            throw CommandFailure(
                code, during: "reading the key",
                message: "\(file.path) has more than \(Self.limit) bytes; no key is that long",
                exit: .badFile)
        }
        (self.path, mode) = (file.path, file.status.st_mode)
        text = Self.text(of: bytes)
    }

    /// The text in a file of `bytes`.
    package static func text(of bytes: [UInt8]) -> String {
        // A byte order mark, which some editors write, is not part of the text (RFC 3629, 6).
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return String(
            decoding: bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...], as: UTF8.self)
    }

    /// Warns if others can read the file. For secret keys.
    package func warnIfExposed(_ console: Console) {
        // The mode of a terminal or another device does not apply to the data read from it.
        guard [S_IFREG, S_IFIFO].contains(mode & S_IFMT), mode & 0o077 != 0 else { return }
        console.warn(
            .command.keyFileExposed, "\(path) can be read by other users of this machine; chmod 600 it")
    }
}
