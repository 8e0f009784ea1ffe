import ArgumentParser
import BeaconCommands
import PacketSockets
import StationEngine
import Stations
import Tray
import TrayJournal
import WorkOrders

struct Deliver: RunningCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hand in the results that wait, without a run.",
        discussion:
            "Example: `beacon-dfu-station deliver`, when the network is back and nothing is to be flashed.")

    @OptionGroup(title: "Engine") var source: OfficeOptions
    @OptionGroup var common: CommonOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        guard let name = try source.joined()?.station else {
            throw CommandFailure(
                "station-unknown", during: "looking for the station",
                message: "this bench has not joined an engine")
        }
        let journal = try await Journal.open(at: try source.journal.place, owner: JournalOwner(tray: nil))
        defer { journal.close() }
        let before = try await StationReport(name, journal)
        let engine = PostgresWork(over: try source.session())
        // An engine that is away is told of, not waited for.
        _ = try await engine.greet(before)
        let loop = try EventLoop.shared.get()
        let identity = before.station
        let courier = ResultCourier(
            from: journal, to: engine, time: loop.keeper,
            report: { last, waiting, since in
                StationReport(
                    identity, program: BeaconDFU.version, lastSequence: last, waiting: waiting,
                    oldestWaiting: since, clock: .now)
            }, telling: { console.tell(.results($0)) })
        courier.finish()
        try await courier.run()
        await engine.close()
        let left = try await journal.standing(ofOutbox: StationResults.kind).open
        console.event(
            JSONLine("handed-in", ["results": .integer(before.waiting - left), "waiting": .integer(left)]))
        if !common.json { console.result("\(before.waiting - left) results handed in, \(left) wait") }
        return left > 0 ? .tryAgain : before.waiting > 0 ? .done : .nothingToDo
    }
}
