import ArgumentParser
import Firmware
import Tray
package import TrayJournal
import UpdateModel

/// A seal with a verified signature, to compare with seals that were seen before.
package struct VerifiedSeal: Sendable {
    /// The path of the seal.
    package let path: String
    /// The fingerprint of the key that has signed it.
    package let key: String
    package let counter: Int64
    package let content: String

    /// Throws if a newer catalogue of the same key was seen, or another one with the same number. With `isRisked`,
    /// checks nothing.
    package func check(against journal: Journal, risking isRisked: Bool = false) async throws {
        guard !isRisked, let known = try await journal.newestSeal(of: key) else { return }
        let seen = "seen on \(known.seen.toSeconds)"
        guard counter >= known.counter else {
            let number = counter == 0 ? "has no number" : "is number \(counter)"
            throw refusal(
                .catalogue.rolledBack,
                "\(path) \(number), and number \(known.counter) of the same key was \(seen)")
        }
        guard counter > known.counter || content == known.content else {
            throw refusal(
                .catalogue.numberReused,
                "\(path) is number \(counter), and another catalogue with this number of the same key was \(seen)"
            )
        }
    }

    /// Checks against the journal at `path`, or else the usual one, if it exists.
    package func check(knownBy path: String? = nil, risking isRisked: Bool = false) async throws {
        guard !isRisked, let path = path ?? (try? JournalOptions.parse([]).path()) else { return }
        let journal: Journal
        do throws(JournalError) { journal = try await Journal.reading(path) } catch {
            if error.problem == .missing { return }
            throw CommandFailure(error)
        }
        defer { journal.close() }
        try await check(against: journal)
    }

    /// Records the seal in `journal`. Seals of earlier versions have no number and cannot be distinguished.
    package func note(in journal: Journal) async throws(JournalError) {
        guard counter > 0 else { return }
        try await journal.note(SeenSeal(counter: counter, content: content, seen: .now), of: key)
    }

    private func refusal(_ code: FailureCode, _ message: String) -> CommandFailure {
        CommandFailure(code, during: "checking the catalogue's signature", message: message)
    }
}
