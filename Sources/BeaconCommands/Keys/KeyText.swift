import Glibc

/// The text of a key, from whatever can be read to its end: a file, or a pipe as in `--key-file <(pass show key)`.
struct KeyText {
    let text: String
    private let path: String
    private let mode: mode_t

    /// No key in any form is longer.
    private static let limit = 64 * 1024

    /// Reads all of it; what is too long is refused with `code`. A pipe is waited for until its writer closes it or the
    /// command is interrupted.
    init(path: String, tooLong code: String) throws(CommandFailure) {
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
    static func text(of bytes: [UInt8]) -> String {
        // A byte order mark, which editors on other systems write, is not part of the text (RFC 3629, 6).
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return String(
            decoding: bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...], as: UTF8.self)
    }

    /// Warns where others can read the file too; for what is secret.
    func warnIfExposed(_ console: Console) {
        // The modes of terminals and other devices say nothing about what was read from them.
        guard [S_IFREG, S_IFIFO].contains(mode & S_IFMT), mode & 0o077 != 0 else { return }
        console.warn(
            "key-file-exposed", "\(path) can be read by other users of this machine; chmod 600 it")
    }
}
