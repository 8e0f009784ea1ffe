import ArgumentParser
import BeaconCommands
import Bluetooth
import Tray
import TrayJournal
import Work
import WorkServer

struct Deliver: RunningCommand {
    static let configuration = CommandConfiguration(
        abstract: "Deliver the waiting results, without a run.",
        discussion:
            "Example: `beacon-dfu-station deliver`, when the network is back and nothing is to be flashed.")

    @OptionGroup(title: "Work server") var source: AdminOptions
    @OptionGroup var common: CommonOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        guard let name = try source.joined()?.station else {
            throw CommandFailure(
                "station-unknown", during: "looking for the station",
                message: "this bench has not joined a work server")
        }
        let journal = try await Journal.open(at: try source.journal.place, owner: JournalOwner(tray: nil))
        defer { journal.close() }
        let session = try source.session()
        let engine = PostgresWork(over: session)
        let identity = StationIdentity(
            name: name, incarnation: journal.incarnation, machine: StationResults.machine)
        let sender = ResultSender(
            from: journal, to: engine, time: try EventLoop.shared.get().keeper,
            report: { last, waiting, since in
                StationReport(
                    identity, program: BeaconDFU.version, lastSequence: last, waiting: waiting,
                    oldestWaiting: since, clock: .now)
            }, telling: { console.tell(.results($0)) })
        let tally = try await session.closing { try await sender.handInOnce() }
        let left = try await journal.status(ofOutbox: StationResults.kind).open
        console.event(
            JSONLine(
                "handed-in",
                [
                    "results": .integer(tally.delivered), "set_aside": .integer(tally.setAside),
                    "waiting": .integer(left),
                ]))
        if !common.json {
            let refused = tally.setAside > 0 ? ", \(tally.setAside) set aside" : ""
            console.result("\(tally.delivered) results delivered\(refused), \(left) waiting")
        }
        if tally.setAside > 0 { return .failed }
        if left > 0 { return .tryAgain }
        return tally.delivered > 0 ? .done : .nothingToDo
    }
}
