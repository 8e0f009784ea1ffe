import Bytes
import CommandKit
import Tray
import TrayJournal
package import Work

package enum WorkEvent: Sendable {
    case claims(ClaimRenewer.Event)
    case results(ResultSender.Event)
}

extension Console {
    package func report(_ event: WorkEvent) {
        switch event {
        case .claims(let event): report(event)
        case .results(let event): report(event)
        }
    }

    private func report(_ event: ClaimRenewer.Event) {
        switch event {
        case .lost(let slots):
            warn(
                .station.claimLost, "no longer claimed by this station: slot \(slots.joined(separator: ", "))"
            )
        case .unanswered(_, _, isFirst: false): break
        case .unanswered(let failure, let left, _):
            let time = left.map { "; the shortest claim has \(max(0, Int($0 / .seconds(1)))) s left" } ?? ""
            warn(failure.code, "\(failure.message): claims are not renewed\(time)")
        case .answered:
            report(JSONLine("engine", ["reachable": .bool(true)])) { notice("claims are renewed again") }
        case .renewed, .idle: break
        }
    }

    private func report(_ event: ResultSender.Event) {
        switch event {
        case .online(let heartbeatReply):
            if heartbeatReply.isClockWrong {
                let words = HeartbeatReply.words(clockAhead: heartbeatReply.clockAhead)
                warn(.station.clockSkew, "\(words) work server's")
            }
            if let reason = heartbeatReply.claimRefusal { warn(reason.code, reason.message) }
        case .offline(let failure, let waiting, let since):
            let results = Quantities.count(waiting, "result")
            let when = since.map { " since \($0.toSeconds)" } ?? ""
            warn(failure.code, "\(failure.message): \(results) waiting\(when); flashing continues")
        case .journalFailed(let error):
            warn(.workServer.resultsStuck, "\(error.code): \(error); no results are sent meanwhile")
        case .delivered(let count): self.event(JSONLine("delivered", ["results": .integer(count)]))
        case .resent(let count):
            warn(
                .station.resultsResent,
                "the work server had lost \(Quantities.count(count, "result")), which \(count == 1 ? "is" : "are") sent again"
            )
        case .standing(let key, .late):
            warn(
                .station.resultLate, "\(key): another station has claimed the unit since; the result is kept")
        case .standing(let key, .unplanned):
            warn(
                .station.resultUnplanned,
                "\(key): the work server does not know this unit; the result is kept")
        case .standing(_, .current): break
        case .setAside(let key, let why):
            warn(.station.resultRefused, "the work server refused \(key): \(why)")
        }
    }
}
