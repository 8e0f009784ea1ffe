import ArgumentParser
import Bytes
import Firmware
import Tray
package import TrayJournal
import UpdateModel

extension CatalogueFolder {
    package static func sealPath(in folder: String) -> String { folder.entry(CatalogueSeal.fileName) }

    /// Throws if the catalogue differs from what the key in the file `keyPath` signed, or if the signature has expired.
    /// Without a key, checks only the hashes and expiry of an existing seal. Returns the seal if the key has signed it.
    @discardableResult
    package func checkSeal(by keyPath: String?) throws(CommandFailure) -> VerifiedSeal? {
        let key = try keyPath.map { (path) throws(CommandFailure) in try KeyFile(path: path).verifyingKey() }
        let sealPath = Self.sealPath(in: path)
        let text: [UInt8]
        do throws(CommandFailure) { text = try FileContent(path: sealPath).bytes } catch {
            guard error.code == .file.fileNotFound else { throw error }
            guard key != nil else { return nil }
            throw refusal(.catalogue.unsigned, "\(path) has no \(CatalogueSeal.fileName)")
        }
        let (seal, signature): (CatalogueSeal, [UInt8])
        do throws(YAMLProblem) { (seal, signature) = try CatalogueSeal.parse(text) } catch {
            throw CommandFailure(.catalogue.signatureInvalid, during: step, error, in: sealPath)
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
}

private let step = "checking the catalogue's signature"

private func refusal(_ code: FailureCode, _ message: String) -> CommandFailure {
    CommandFailure(code, during: step, message: message)
}

/// A seal with a verified signature, to compare with seals that were seen before.
package struct VerifiedSeal: Sendable {
    package let path: String
    /// The fingerprint of the key that has signed it.
    package let key: String
    package let counter: Int64
    package let content: String

    /// Throws if a newer catalogue of the same key was seen, or another of the same number; never with `acceptsOlder`.
    package func check(against journal: Journal, acceptingOlder acceptsOlder: Bool = false) async throws {
        guard !acceptsOlder, let known = try await journal.newestSeal(of: key) else { return }
        let seen = "seen on \(known.seen.toSeconds)"
        guard counter >= known.counter else {
            let number = counter == 0 ? "has no number" : "is number \(counter)"
            throw refusal(
                .catalogue.rolledBack,
                "\(path) \(number), and number \(known.counter) of the same key was \(seen)")
        }
        try require(
            counter > known.counter || content == known.content, .catalogue.numberReused, during: step,
            message:
                "\(path) is number \(counter), and another catalogue with this number of the same key was \(seen)"
        )
    }

    /// Checks against the journal at `path`, or else the usual one, if it exists.
    package func check(
        againstJournalAt path: String? = nil, acceptingOlder acceptsOlder: Bool = false
    ) async throws {
        guard !acceptsOlder, let path = path ?? (try? JournalOptions.parse([]).path()) else { return }
        let journal: Journal
        do throws(JournalError) { journal = try await Journal.reading(path) } catch {
            if error.problem == .missing { return }
            throw CommandFailure(error)
        }
        defer { journal.close() }
        try await check(against: journal)
    }

    /// Records the seal in `journal`. Seals of earlier versions have no number and cannot be distinguished.
    package func record(in journal: Journal) async throws(JournalError) {
        guard counter > 0 else { return }
        try await journal.note(SeenSeal(counter: counter, content: content, seen: .now), of: key)
    }
}
