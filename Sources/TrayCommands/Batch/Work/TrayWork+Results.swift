package import Bluetooth
import CommandKit
import Tray
package import TrayJournal
package import Work

extension TrayWork {
    /// The sender of the results in `journal` to the work server, as this station; nil for a bench without
    /// one.
    package func sender(
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
                    identity, program: Program.version, lastSequence: last, waiting: waiting,
                    oldestWaiting: since, catalogue: catalogue, clock: .now)
            }, telling: tell)
    }
}
