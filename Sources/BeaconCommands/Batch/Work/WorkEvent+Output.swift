package import Stations
import Tray
import TrayJournal
import WorkOrders

/// What is told of a run's claims and results.
package enum WorkEvent: Sendable {
    case claims(ClaimRenewer.Event)
    case results(ResultSender.Event)
}

extension Console {
    /// Tells what becomes of claims and results, where a person has to know it.
    package func tell(_ news: WorkEvent) {
        switch news {
        case .claims(let news): tell(news)
        case .results(let news): tell(news)
        }
    }

    private func tell(_ news: ClaimRenewer.Event) {
        switch news {
        case .lost(let slots):
            warn("claim-lost", "not this station's any more: slot \(slots.joined(separator: ", "))")
        case .unanswered(_, _, isNews: false): break
        case .unanswered(let failure, let left, _):
            let time = left.map { "; the shortest claim has \(max(0, Int($0 / .seconds(1)))) s left" } ?? ""
            warn(failure.code, "\(failure.message): no claim is prolonged\(time)")
        case .answered:
            event(JSONLine("engine", ["reachable": .bool(true)]))
            if !style.isJSON { talk("claims are prolonged again") }
        case .renewed, .idle: break
        }
    }

    private func tell(_ news: ResultSender.Event) {
        switch news {
        case .online(let heartbeatReply):
            if heartbeatReply.isClockWrong {
                let ahead = heartbeatReply.clockAhead / .seconds(1)
                warn(
                    "clock-skew",
                    "this machine's clock is \(Int(abs(ahead))) s \(ahead > 0 ? "ahead of" : "behind") the engine's"
                )
            }
            if let reason = heartbeatReply.mayNotClaim { warn(reason.code, reason.message) }
        case .offline(let failure, let waiting, let since):
            let line = "\(waiting) result\(waiting == 1 ? "" : "s") wait\(waiting == 1 ? "s" : "")"
            let when = since.map { " since \($0.toSeconds)" } ?? ""
            warn(failure.code, "\(failure.message): \(line)\(when), and flashing goes on")
        case .journalFailed(let error):
            warn("results-stuck", "\(error.code): \(error); nothing is handed in meanwhile")
        case .delivered(let count):
            event(JSONLine("delivered", ["results": .integer(count)]))
        case .resent(let count):
            warn("results-resent", "the engine had lost \(count) results, which are sent again")
        case .standing(let key, .late):
            warn("result-late", "\(key): another station had claimed the unit since; the result is kept")
        case .standing(let key, .unplanned):
            warn("result-unplanned", "\(key): the engine knows no such unit; the result is kept")
        case .standing(_, .current): break
        case .setAside(let key, let why):
            warn("result-refused", "the engine does not take \(key): \(why)")
        }
    }
}
