import NordicDFU

/// A file with the public key that a product's bootloaders hold.
struct PublicKeyFile {
    let key: NordicPublicKey

    /// Reads PEM, or the 128 hexadecimal digits that nrfutil prints.
    init(path: String) throws(CommandFailure) {
        let text = String(decoding: try FirmwareFile(path: path).bytes, as: UTF8.self)
        guard let key = NordicPublicKey(pem: text) ?? NordicPublicKey(hex: text.filter { !$0.isWhitespace })
        else {
            throw CommandFailure(
                "key-invalid", during: "reading the public key", message: "\(path) holds no P-256 public key")
        }
        self.key = key
    }
}
