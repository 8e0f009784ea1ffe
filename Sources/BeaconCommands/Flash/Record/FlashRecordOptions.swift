import ArgumentParser
import TrayJournal

/// Whether and where a single update is written down.
struct FlashRecordOptions: ParsableArguments {
    @OptionGroup var journal: JournalOptions
    @Flag(help: "Write nothing into the journal.") var noJournal = false

    func validate() throws {
        guard !noJournal || journal.journal == nil else {
            throw ValidationError(
                "--no-journal or --journal: one of them says where the update is written down")
        }
    }

    /// Has the journal remember a catalogue's seal. Where it cannot that is told, and ends the command where the journal was named.
    func remember(_ seal: VerifiedSeal, simulated: Bool, _ console: Console) async throws {
        guard !noJournal, let path = try? journal.path(simulated: simulated) else { return }
        do throws(JournalError) {
            let journal = try await Journal.beside(path, creating: true)
            defer { journal.close() }
            try await seal.note(in: journal)
        } catch {
            guard journal.journal == nil else { throw CommandFailure(error) }
            console.warn(
                "catalogue-not-remembered",
                "the journal does not remember number \(seal.counter) of the catalogue (\(error.code): \(error))"
            )
        }
    }
}
