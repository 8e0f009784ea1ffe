import ArgumentParser
import Tray
import TrayJournal

/// A seal whose signature was verified, to be compared with those that were seen before.
struct VerifiedSeal: Sendable {
    /// Its file.
    let path: String
    /// The fingerprint of the key that has signed it.
    let key: String
    let counter: Int64
    let content: String

    /// Throws where a newer catalogue of the same key was seen, or another one under the same number; with `isRisked` nothing is asked.
    func check(against journal: Journal, risking isRisked: Bool = false) async throws {
        guard !isRisked, let known = try await journal.newestSeal(of: key) else { return }
        let seen = "seen on \(known.seen.toSeconds)"
        guard counter >= known.counter else {
            let number = counter == 0 ? "has no number" : "is number \(counter)"
            throw refusal(
                "catalogue-rolled-back",
                "\(path) \(number), and number \(known.counter) of the same key was \(seen)")
        }
        guard counter > known.counter || content == known.content else {
            throw refusal(
                "catalogue-number-reused",
                "\(path) is number \(counter), and another catalogue with this number of the same key was \(seen)"
            )
        }
    }

    /// The same against the journal at `path`, or else the usual one, where there is one.
    func check(knownBy path: String? = nil, risking isRisked: Bool = false) async throws {
        guard !isRisked, let path = path ?? (try? JournalOptions.parse([]).path()) else { return }
        let journal: Journal
        do throws(JournalError) { journal = try await Journal.reading(path) } catch {
            if error.problem == .missing { return }
            throw CommandFailure(error)
        }
        defer { journal.close() }
        try await check(against: journal)
    }

    /// Has the journal remember it. Seals of earlier versions cannot be told apart.
    func note(in journal: Journal) async throws(JournalError) {
        guard counter > 0 else { return }
        try await journal.note(SeenSeal(counter: counter, content: content, seen: .now), of: key)
    }

    private func refusal(_ code: String, _ message: String) -> CommandFailure {
        CommandFailure(code, during: "checking the catalogue's signature", message: message)
    }
}
