import ArgumentParser
import Bytes
import CommandKit
import Glibc
import Tray
import TrayJournal
import UpdateModel
import Work
import WorkServer

struct Join: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Make this bench a station of a work server.",
        discussion: """
            Example: `beacon-dfu-station join line2-bench3 --engine 'host=db.plant dbname=beacons user=bench3'`.

            The work server binds the name to the login and to this bench's journal. A journal that was copied from another bench \
            or restored from a backup is refused: --new-journal turns it into a new one, whose results are counted from 1. Options \
            that are not given keep their values of an earlier join; '' removes a value.
            """)

    @Argument(help: "The station's name: letters, digits, '-', '_' and '.'. Default: the machine's name.")
    var station: String?
    @Flag(help: "Turn this journal into a new one: it was copied, or restored from a backup.")
    var newJournal = false
    @Option(
        "Request files from this server before the work server: a folder over HTTP, for example http://files.plant/firmware, filled by `publish --files-to`.",
        valueName: "address")
    var mirror: String?
    @Option(
        "Use only catalogues that this key has signed (PEM, hex or C).", valueName: "file",
        completion: .file())
    var requireSignedCatalogue: String?
    @OptionGroup(title: "Work server") var source: AdminOptions
    @OptionGroup var writing: WritingOptions

    var inputs: [String?] { [requireSignedCatalogue] }

    func validate() throws {
        if let mirror, !mirror.isEmpty, MirrorAddress(mirror) == nil {
            throw ValidationError("--mirror is an address, for example http://files.plant/firmware")
        }
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        let former: StationFile?
        do { former = try source.joined() } catch  where station != nil {
            let failure = CommandFailure(from: error)
            console.warn(
                failure.code,
                "\(failure.message): it is created again; give --mirror and --require-signed-catalogue again if needed"
            )
            former = nil
        }
        let name = station ?? former?.station ?? Self.machineName
        if let flaw = StationIdentity.flaw(in: name) { throw ValidationError("'\(name)': \(flaw)") }
        if let former, former.station != name, !newJournal {
            throw CommandFailure(
                .workServer.stationFolderTaken, during: "joining",
                message: "the journal's folder belongs to station \(former.station)",
                nextStep:
                    "give each station a folder of its own (--journal), or rename this one with --new-journal"
            )
        }
        let settings = try source.settings()
        let path = try source.journal.path()
        let place = StationFile.path(beside: path)
        let key = try keyPath()
        // Checked before a journal is created and the work server is contacted. The folder may not exist yet.
        if faccessat(AT_FDCWD, place.systemPath, F_OK, AT_SYMLINK_NOFOLLOW) == 0 {
            try OutputFile.check(place, as: StationFile.kind, under: outputs)
        }
        var journal = try await Journal.open(at: path, owner: JournalOwner(tray: nil))
        if newJournal {
            _ = try await journal.reincarnate(numbering: StationResults.kind)
            journal.close()
            journal = try await Journal.open(at: path, owner: JournalOwner(tray: nil))
        }
        defer { journal.close() }
        let session = try source.session()
        let work = PostgresWork(over: session)
        let opened = journal
        let heartbeatReply = try await session.closing { _ in
            try await work.sendHeartbeat(try await StationReport(name, opened))
        }
        let file = StationFile(
            connection: settings.target, station: name, mirror: chosen(mirror, former?.mirror),
            catalogueKey: chosen(key, former?.catalogueKey))
        try OutputFile.write(Array(file.text.utf8), to: place, as: StationFile.kind, under: outputs)
        console.event(
            JSONLine("joined").adding([
                "station": .text(name), "file": .text(place), "incarnation": .text(journal.incarnation),
                "results": .integer(Int(heartbeatReply.contiguous)),
            ]))
        if let reason = heartbeatReply.claimRefusal { console.warn(reason.code, reason.message) }
        if !common.json {
            console.result(
                "this bench is station \(name); the work server has \(heartbeatReply.contiguous) of its results"
            )
            console.notice("next: beacon-dfu-station work ORDER")
        }
        return .done
    }

    /// The value `named` on the command line, or else the former one; nil if `named` is empty, which removes the value.
    private func chosen(_ named: String?, _ former: String?) -> String? {
        guard let named else { return former }
        return named.isEmpty ? nil : named
    }

    /// The absolute path of the key's file, valid wherever the program is started later. The file is read once to check
    /// that it exists.
    private func keyPath() throws(CommandFailure) -> String? {
        guard let key = requireSignedCatalogue, !key.isEmpty else { return requireSignedCatalogue }
        _ = try FileContent(path: key)
        return FileBytes.realPath(of: key) ?? key
    }

    private static var machineName: String {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension StationReport {
    init(_ name: String, _ journal: Journal) async throws(JournalError) {
        let status = try await journal.status(ofOutbox: StationResults.kind)
        self.init(
            StationIdentity(name: name, incarnation: journal.incarnation, machine: StationResults.machine),
            program: Program.version, lastSequence: status.last, waiting: status.open,
            oldestWaiting: status.since, clock: .now)
    }
}
