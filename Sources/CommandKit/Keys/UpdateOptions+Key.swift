import Nordic
import UpdateModel

extension UpdateOptions {
    /// The default options, with a check of packages by the public key in the file at `path`.
    package init(trustingKeyAt path: String) throws(CommandFailure) {
        self.init()
        self[NordicOptions.self].key = try KeyFile(path: path).publicKey()
    }
}
