import Bluetooth
import Tray
import TrayJournal
import Work

extension TrayWork {
    /// The sender of the results in `journal` to the work server, as this station; nil for a bench without
    /// one.
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
