import Bytes
import Firmware
import UpdateModel

extension CatalogueFolder {
    /// The path of the seal of the catalogue at `path`.
    package static func sealPath(in path: String) -> String {
        path.hasSuffix("/") ? path + CatalogueSeal.fileName : "\(path)/\(CatalogueSeal.fileName)"
    }

    /// Throws if the catalogue differs from what the key in the file `keyPath` signed, or if the signature has expired.
    /// Without a key, checks only the file hashes and the expiry of an existing seal. Returns the seal if the key has
    /// signed it.
    @discardableResult
    package func checkSeal(by keyPath: String?) throws(CommandFailure) -> VerifiedSeal? {
        let key = try keyPath.map { (path) throws(CommandFailure) in try KeyFile(path: path).verifyingKey() }
        let sealPath = Self.sealPath(in: path)
        let text: [UInt8]
        do throws(CommandFailure) { text = try FirmwareFile(path: sealPath).bytes } catch {
            guard error.code == .file.fileNotFound else { throw error }
            guard key != nil else { return nil }
            throw refusal(.catalogue.unsigned, "\(path) has no \(CatalogueSeal.fileName)")
        }
        let (seal, signature): (CatalogueSeal, [UInt8])
        do throws(YAMLProblem) { (seal, signature) = try CatalogueSeal.reading(text) } catch {
            throw CommandFailure(.catalogue.signatureInvalid, during: Self.step, error, in: sealPath)
        }
        guard key?.verifies(signature, of: seal.statement) ?? true else {
            throw refusal(
                .catalogue.signatureInvalid,
                "\(sealPath) was not signed with the key in \(keyPath ?? "the file")")
        }
        if let difference = seal.difference(from: files) {
            throw refusal(.catalogue.signatureInvalid, "\(path): \(difference)")
        }
        guard WallTime.unixNow < seal.expires else {
            throw refusal(.catalogue.expired, "the signature expired at \(UnixTime.text(seal.expires))")
        }
        return key.map {
            VerifiedSeal(path: sealPath, key: $0.fingerprint, counter: seal.counter, content: seal.content)
        }
    }

    private static let step = "checking the catalogue's signature"

    private func refusal(_ code: FailureCode, _ message: String) -> CommandFailure {
        CommandFailure(code, during: Self.step, message: message)
    }
}
