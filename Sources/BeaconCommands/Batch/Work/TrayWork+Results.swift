import Stations
import Timing
import Tray
import TrayJournal
import WorkOrders

extension TrayWork {
    /// Who brings the results in `journal` to the engine, in the station's name; nil for a bench on its own.
    func sender(
        from journal: Journal, time: Timekeeper,
        telling tell: @escaping @Sendable (ResultSender.Event) -> Void
    ) -> ResultSender? {
        guard let station else { return nil }
        let identity = StationIdentity(
            name: station, incarnation: journal.incarnation, machine: StationResults.machine)
        return ResultSender(
            from: journal, to: source, time: time.paced(pace),
            report: { [catalogue] last, waiting, since in
                StationReport(
                    identity, program: BeaconDFU.version, lastSequence: last, waiting: waiting,
                    oldestWaiting: since, catalogue: catalogue, clock: .now)
            }, telling: tell)
    }
}
