import ArgumentParser
import TrayJournal

/// Whether and where a single update is written down.
struct FlashRecordOptions: ParsableArguments {
    @OptionGroup var journal: JournalOptions
    @Flag(help: "Write nothing into the journal.") var noJournal = false

    func validate() throws {
        guard !noJournal || journal.journal == nil else {
            throw ValidationError(
                "give --no-journal or --journal, not both")
        }
    }

    /// Has the journal remember a catalogue's seal. Where it cannot that is told, and ends the command where the journal was named.
    func remember(_ seal: VerifiedSeal, simulated: Bool, _ console: Console) async throws {
        guard !noJournal else { return }
        guard let path = try? journal.path(simulated: simulated) else {
            return console.warn(
                "catalogue-not-remembered",
                "no journal remembers number \(seal.counter) of the catalogue: neither HOME nor XDG_STATE_HOME says where it is"
            )
        }
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
