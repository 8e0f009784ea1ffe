import Catalogue
import FirmwareModel
import YAMLText

extension CatalogueFolder {
    /// Where the seal of the catalogue at `path` is.
    static func sealPath(in path: String) -> String {
        path.hasSuffix("/") ? path + CatalogueSeal.fileName : "\(path)/\(CatalogueSeal.fileName)"
    }

    /// Throws where the catalogue is not what the key in the file `keyPath` has signed, or no longer. Without a key only
    /// what needs none is checked, where there is a seal: which files it has, and until when. Returns the seal where the key has signed it.
    @discardableResult
    func checkSeal(by keyPath: String?) throws(CommandFailure) -> VerifiedSeal? {
        let key = try keyPath.map { (path) throws(CommandFailure) in try KeyFile(path: path).verifyingKey() }
        let sealPath = Self.sealPath(in: path)
        let text: [UInt8]
        do throws(CommandFailure) { text = try FirmwareFile(path: sealPath).bytes } catch {
            guard error.code == "file-not-found" else { throw error }
            guard key != nil else { return nil }
            throw refusal("catalogue-unsigned", "\(path) has no \(CatalogueSeal.fileName)")
        }
        let (seal, signature): (CatalogueSeal, [UInt8])
        do throws(YAMLProblem) { (seal, signature) = try CatalogueSeal.reading(text) } catch {
            throw CommandFailure("catalogue-signature-invalid", during: Self.step, error, in: sealPath)
        }
        guard key?.verifies(signature, of: seal.statement) ?? true else {
            throw refusal(
                "catalogue-signature-invalid",
                "\(sealPath) was not signed with the key in \(keyPath ?? "the file")")
        }
        if let difference = seal.difference(from: files) {
            throw refusal("catalogue-signature-invalid", "\(path): \(difference)")
        }
        guard WallTime.unixNow < seal.expires else {
            throw refusal("catalogue-expired", "the signature held until \(UnixTime.text(seal.expires))")
        }
        return key.map {
            VerifiedSeal(path: sealPath, key: $0.fingerprint, counter: seal.counter, content: seal.content)
        }
    }

    private static let step = "checking the catalogue's signature"

    private func refusal(_ code: String, _ message: String) -> CommandFailure {
        CommandFailure(code, during: Self.step, message: message)
    }
}
