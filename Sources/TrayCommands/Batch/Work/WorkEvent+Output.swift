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
    package func tell(_ event: WorkEvent) {
        switch event {
        case .claims(let event): tell(event)
        case .results(let event): tell(event)
        }
    }

    private func tell(_ event: ClaimRenewer.Event) {
        switch event {
        case .lost(let slots):
            warn(
                .station.claimLost, "no longer claimed by this station: slot \(slots.joined(separator: ", "))"
            )
        case .unanswered(_, _, isNews: false): break
        case .unanswered(let failure, let left, _):
            let time = left.map { "; the shortest claim has \(max(0, Int($0 / .seconds(1)))) s left" } ?? ""
            warn(failure.code, "\(failure.message): claims are not renewed\(time)")
        case .answered:
            self.event(JSONLine("engine", ["reachable": .bool(true)]))
            if !style.isJSON { notice("claims are renewed again") }
        case .renewed, .idle: break
        }
    }

    private func tell(_ event: ResultSender.Event) {
        switch event {
        case .online(let heartbeatReply):
            if heartbeatReply.isClockWrong {
                let ahead = heartbeatReply.clockAhead / .seconds(1)
                warn(
                    .station.clockSkew,
                    "this machine's clock is \(Int(abs(ahead))) s \(ahead > 0 ? "fast" : "slow") compared with the work server's"
                )
            }
            if let reason = heartbeatReply.mayNotClaim { warn(reason.code, reason.message) }
        case .offline(let failure, let waiting, let since):
            let results = Quantities.count(waiting, "result")
            let when = since.map { " since \($0.toSeconds)" } ?? ""
            warn(failure.code, "\(failure.message): \(results) waiting\(when); flashing continues")
        case .journalFailed(let error):
            warn(.workServer.resultsStuck, "\(error.code): \(error); no results are sent meanwhile")
        case .delivered(let count): self.event(JSONLine("delivered", ["results": .integer(count)]))
        case .resent(let count):
            warn(.station.resultsResent, "the work server had lost \(count) results, which are sent again")
        case .status(let key, .late):
            warn(
                .station.resultLate, "\(key): another station has claimed the unit since; the result is kept")
        case .status(let key, .unplanned):
            warn(
                .station.resultUnplanned,
                "\(key): the work server does not know this unit; the result is kept")
        case .status(_, .current): break
        case .setAside(let key, let why):
            warn(.station.resultRefused, "the work server refused \(key): \(why)")
        }
    }
}
