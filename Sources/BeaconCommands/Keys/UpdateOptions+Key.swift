import NordicDFU
import UpdateCore

extension UpdateOptions {
    /// Nothing, but that packages are checked with the public key in the file at `path`.
    init(trustingKeyAt path: String) throws(CommandFailure) {
        self.init()
        self[NordicOptions.self].key = try KeyFile(path: path).publicKey()
    }
}
