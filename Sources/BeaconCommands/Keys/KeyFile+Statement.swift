import Digests
import NordicDFU

extension KeyFile {
    /// The signature of `statement` by the private key in the file.
    func signature(of statement: [UInt8], _ console: Console) throws(CommandFailure) -> [UInt8] {
        let key = try privateKey(console)
        do throws(SignatureError) { return try key.sign(statement) } catch {
            throw CommandFailure("internal-error", during: "signing", message: "\(error)")
        }
    }

    /// Whether the public key in the file verifies the signature.
    func verifies(_ signature: [UInt8], of statement: [UInt8]) throws(CommandFailure) -> Bool {
        try publicKey().verifies(signature, of: statement)
    }
}
