import ArgumentParser
import CommandKit
import Firmware
import TrayJournal

/// Whether and where a single update is recorded.
package struct FlashRecordOptions: ParsableArguments {
    @OptionGroup var journal: JournalOptions
    @Flag(help: "Write nothing into the journal.") var noJournal = false

    func validate() throws {
        guard !noJournal || journal.journal == nil else {
            throw ValidationError(
                "give --no-journal or --journal, not both")
        }
    }

    /// Records a catalogue's seal in the journal. A failure is a warning, or an error if the journal was
    /// named on the command line.
    func remember(_ seal: VerifiedSeal, simulated: Bool, _ console: Console) async throws {
        guard !noJournal else { return }
        guard let path = try? journal.path(simulated: simulated) else {
            return console.warn(
                .catalogue.notRemembered,
                "number \(seal.counter) of the catalogue was not recorded: neither HOME nor XDG_STATE_HOME is set to locate the journal"
            )
        }
        do throws(JournalError) {
            let journal = try await Journal.beside(path, creating: true)
            defer { journal.close() }
            try await seal.note(in: journal)
        } catch {
            guard journal.journal == nil else { throw CommandFailure(error) }
            console.warn(
                .catalogue.notRemembered,
                "number \(seal.counter) of the catalogue was not recorded in the journal (\(error.code): \(error))"
            )
        }
    }
}
