import ArgumentParser
import Bytes
import CommandKit
import UpdateModel

/// The AES key and initialisation vector of the bootloader. The key is never printed, not even in an error.
struct EncryptionOptions: ParsableArguments {
    @Option(
        "Encrypt with the AES-128 key in this file: 32 hexadecimal digits.", valueName: "path",
        completion: .file())
    var keyFile: String?
    @Option(
        "Encrypt with this AES-128 key. Other users of this machine can see it; --key-file hides it.",
        valueName: "hex")
    var key: String?
    @Option(
        "The initialisation vector that the bootloader was built with; the image does not carry it.",
        valueName: "hex")
    var iv: String?

    var isRequested: Bool { keyFile != nil || key != nil }

    func validate() throws {
        try require(keyFile == nil || key == nil, "give --key-file or --key, not both")
        try require(isRequested == (iv != nil), "--iv and a key (--key-file or --key) belong together")
    }

    /// The requested cipher; nil if no key is given.
    func cipher(_ console: Console) throws(CommandFailure) -> AES128CBC? {
        guard let iv, let key = try keyBytes(console) else { return nil }
        let vector = try Self.block(iv, of: "--iv", exit: .usage)
        guard let cipher = AES128CBC(key: key, vector: vector) else {
            throw Self.refusal("the key cannot be used", exit: .badFile)
        }
        return cipher
    }

    private func keyBytes(_ console: Console) throws(CommandFailure) -> [UInt8]? {
        if let keyFile {
            let source = try KeyText(path: keyFile, tooLong: .command.encryptionKeyInvalid)
            let bytes = try Self.block(source.text, of: keyFile, exit: .badFile)
            source.warnIfExposed(console)
            return bytes
        }
        guard let key else { return nil }
        console.warn(
            .command.keyOnCommandLine, "every user of this machine can see --key in the list of processes")
        return try Self.block(key, of: "--key", exit: .usage)
    }

    /// The 16 bytes of `text`, which is hexadecimal. No error repeats `text`: it may be the key.
    static func block(_ text: String, of source: String, exit: ExitStatus) throws(CommandFailure) -> [UInt8] {
        let digits = 2 * AES128CBC.blockBytes
        guard let bytes = try? HexText.decode(text) else {
            throw refusal("\(source) is not hexadecimal; \(digits) digits are needed", exit: exit)
        }
        guard bytes.count == AES128CBC.blockBytes else {
            throw refusal("\(source) has \(2 * bytes.count) digits; \(digits) are needed", exit: exit)
        }
        return bytes
    }

    private static func refusal(_ message: String, exit: ExitStatus) -> CommandFailure {
        CommandFailure(
            .command.encryptionKeyInvalid, during: "reading the encryption key", message: message, exit: exit)
    }
}
