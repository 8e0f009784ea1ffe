import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import Tray
import TrayCommands
import TrayJournal
import UpdateModel
import Work
import WorkServer

struct Deliver: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliver", abstract: "Deliver the waiting results, without a run.",
        discussion:
            "Example: `beacon-dfu-station deliver`, when the network is back and nothing is to be flashed.")

    @OptionGroup(title: "Work server") var source: AdminOptions
    @OptionGroup var common: CommonOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        let place = try source.journal.path()
        let name = try StationFile.required(beside: place).station
        let journal = try await Journal.open(at: place, owner: JournalOwner(tray: nil))
        defer { journal.close() }
        let session = try source.session()
        let work = PostgresWork(over: session)
        let identity = StationIdentity(
            name: name, incarnation: journal.incarnation, machine: StationResults.machine)
        let sender = ResultSender(
            from: journal, to: work, time: try EventLoop.shared.get().clock,
            stationReport: { last, waiting, since in
                StationReport(
                    identity, program: Program.version, lastSequence: last, waiting: waiting,
                    oldestWaiting: since, clock: .now)
            }, report: { console.report(.results($0)) })
        let tally = try await session.closing { _ in try await sender.deliverOnce() }
        let left = try await journal.status(ofOutbox: StationResults.kind).open
        let refused = tally.setAside > 0 ? ", \(tally.setAside) set aside" : ""
        return console.done(
            "handed-in",
            [
                "results": .integer(tally.delivered), "set_aside": .integer(tally.setAside),
                "waiting": .integer(left),
            ], "\(Quantities.count(tally.delivered, "result")) delivered\(refused), \(left) waiting",
            tally.setAside > 0 ? .failed : left > 0 ? .tryAgain : tally.delivered > 0 ? .done : .nothingToDo)
    }
}
