import Bytes
import Glibc
import Nordic

/// The rule for replacing existing files, used for all output (docs/decisions/0026-what-is-never-overwritten.md).
///
/// An existing file is kept unless it is empty, or of the same kind as the output, or `--overwrite` is given. Keys and
/// the run's own inputs are always kept.
package struct OutputRule: Sendable {
    package var inputs: [String] = []
    /// Whether files of other kinds may be lost too.
    var overwrites = false

    package func protecting(_ paths: [String?]) -> OutputRule {
        OutputRule(inputs: inputs + paths.compactMap(\.self), overwrites: overwrites)
    }

    /// How much of the existing file is examined: no key is longer.
    private static let examinedBytes = 64 << 10

    /// Throws if the file that is open for reading as `descriptor`, and named `path` by the user, must not be replaced.
    package func check(_ descriptor: Int32, _ path: String, for kind: OutputKind) throws(CommandFailure) {
        var present = stat()
        guard fstat(descriptor, &present) == 0 else { throw OutputFile.failure(path) }
        guard present.st_mode & S_IFMT == S_IFREG else { return }
        for input in inputs {
            // Compared by device and inode: a link or another spelling of the path is not another file.
            guard let status = FileStatus(of: input), status.device == present.st_dev,
                status.inode == present.st_ino
            else { continue }
            let isBuilt = ![.capture, .log].contains(kind)
            throw CommandFailure(
                .command.outputIsInput, during: "writing the file",
                message: "\(path) is the same file as \(input), "
                    + (isBuilt ? "an input of the package" : "which this command reads"))
        }
        guard present.st_size > 0 else { return }
        let head: [UInt8]
        do throws(FileProblem) {
            head = try FileBytes.contents(of: descriptor, atMost: Self.examinedBytes)
        } catch {
            throw OutputFile.failure(path, error)
        }
        try require(
            !Self.isKey(head, ofFileWith: Int(present.st_size)), .command.wouldDestroyKey,
            during: "writing the file", message: "\(path) holds a key; nothing was written")
        try require(
            overwrites || kind.form.fits(head), .command.fileExists, during: "writing the file",
            message: "\(path) exists already and is not a \(kind.form.words); nothing was written")
    }

    /// Whether `head` may be the start of a key: any form that this program reads, PEM or DER of any kind, or an AES
    /// key in hexadecimal digits.
    static func isKey(_ head: [UInt8], ofFileWith size: Int) -> Bool {
        guard size <= examinedBytes else { return false }
        // A DER SEQUENCE that spans the whole file: a key or a certificate.
        if head.count > 3, head[0] == 0x30 {
            let length =
                switch head[1] {
                case ..<0x80: 2 + Int(head[1])
                case 0x81: 3 + Int(head[2])
                case 0x82: 4 + Int(head[2]) << 8 + Int(head[3])
                default: 0
                }
            if length == size { return true }
        }
        let text = KeyText.text(of: head)
        if text.contains("PRIVATE KEY-----") || text.contains("PUBLIC KEY-----") { return true }
        if let bytes = try? HexText.decode(text), [16, 24, 32].contains(bytes.count) { return true }
        return (try? NordicPublicKey(text: text)) != nil
    }
}
