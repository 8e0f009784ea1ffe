import ArgumentParser
import CommandKit
import Firmware
import Tray
import TrayJournal
import UpdateModel

struct ReleaseOptions: ParsableArguments {
    @Flag(help: "Install the release that a catalogue chooses for the beacon, instead of a file.")
    var fromCatalogue = false
    @Flag(help: "Also take releases of the beta channel.") var beta = false
    @Option(
        "Install the release of this version, even if a later one fits or is installed; not if it was withdrawn. A Secure bootloader also needs --force lower-version, and refuses what its own rules forbid.",
        valueName: "version")
    var release: String?
    @OptionGroup var source: CatalogueOptions

    var channels: Set<CatalogueChannel> { beta ? [.release, .beta] : [.release] }

    func validate() throws {
        guard !fromCatalogue else { return }
        let own = (beta ? ["--beta"] : []) + (release == nil ? [] : ["--release"])
        if let unused = (own + source.given).first {
            throw ValidationError("\(unused) requires --from-catalogue")
        }
    }
}

package struct FlashRecordOptions: ParsableArguments {
    @OptionGroup var journal: JournalOptions
    @Flag(help: "Write nothing into the journal.") var noJournal = false

    var arguments: [String] {
        (journal.journal.map { ["--journal", $0] } ?? []) + (noJournal ? ["--no-journal"] : [])
    }

    func validate() throws {
        try require(!noJournal || journal.journal == nil, "give --no-journal or --journal, not both")
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
            let journal = try await Journal.openWithoutLock(path, creating: true)
            defer { journal.close() }
            try await seal.record(in: journal)
        } catch {
            guard journal.journal == nil else { throw CommandFailure(error) }
            console.warn(
                .catalogue.notRemembered,
                "number \(seal.counter) of the catalogue was not recorded in the journal (\(error.code): \(error))"
            )
        }
    }
}
