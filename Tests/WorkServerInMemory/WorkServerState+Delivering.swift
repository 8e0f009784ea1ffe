import Bytes
import FoundationEssentials
import Tray
import UpdateModel
import Work

/// Results, each accepted or refused individually.
extension WorkServerState {
    private static let largestBody = 1 << 20

    mutating func deliver(
        _ results: [WorkResult], by station: StationIdentity?, at now: Duration
    ) throws(WorkError) -> [DeliveryAnswer] {
        let station = try known(station, "delivering results")
        return results.map { result in
            let answer = take(result, of: station, at: now)
            journals[station.incarnation]?.settled.insert(result.sequence)
            if case .duplicate = answer { return answer }
            let highest = journals[station.incarnation]?.highest ?? 0
            journals[station.incarnation]?.highest = max(highest, result.sequence)
            return answer
        }
    }

    private mutating func take(
        _ result: WorkResult, of station: StationIdentity, at now: Duration
    ) -> DeliveryAnswer {
        if let refusal = refusal(of: result) { return refusal }
        if let kept = results.first(where: { $0.result.id == result.id }) {
            return kept.result.sha256 == result.sha256
                ? .duplicate(kept.standing)
                : .refused(code: .workServer.resultIDConflict, message: "its id is that of another result")
        }
        let isCopy = results.contains {
            $0.incarnation == station.incarnation && $0.result.sequence == result.sequence
        }
        guard !isCopy else {
            return .refused(
                code: .workServer.sequenceConflict, message: "its number is that of another result")
        }
        let number = result.claim?.order ?? result.order ?? ""
        let index = unit(of: number, [(result.claim?.key ?? result.key).normalKey])
        let standing =
            index.map { self.standing(of: result, from: station.name, units[$0], at: now) } ?? .unplanned
        results.append(Kept(result: result, incarnation: station.incarnation, standing: standing))
        if let index, standing == .current { move(index, by: result, from: station.name) }
        return .stored(standing)
    }

    /// A unit that was never claimed accepts a result without a claim. A unit that is free and has no other station's
    /// result accepts one with a claim that the work server has lost.
    private func standing(
        of result: WorkResult, from station: String, _ unit: WorkServerUnit, at now: Duration
    ) -> ResultStanding {
        let epoch = result.claim?.epoch ?? 0
        if epoch > unit.epoch {
            let isFree = !unit.isHeld(at: now) && (unit.outcome == nil || unit.station == station)
            return isFree && epoch - unit.epoch <= 1000 ? .current : .late
        }
        return epoch == unit.epoch && (epoch == 0 || unit.station == station) ? .current : .late
    }

    private mutating func move(_ index: Int, by result: WorkResult, from station: String) {
        let number = units[index].order
        guard var order = orders[number] else { return }
        if let epoch = result.claim?.epoch, epoch > units[index].epoch {
            (units[index].epoch, units[index].station) = (epoch, station)
        }
        units[index].failures += result.outcome.isFailure ? 1 : 0
        let isSpent = result.outcome.isFailure && units[index].failures >= order.attempts
        // A result that the bench did not complete does not change a finished unit.
        let isOver = units[index].state == .verified || units[index].state == .failed
        if !isOver || result.outcome.isGood || result.outcome.isFailure {
            units[index].outcome = result.outcome
            units[index].state = result.outcome.isGood ? .verified : isSpent ? .failed : .waiting
        }
        order.judged.append(result)
        judge(&order, result)
        orders[number] = order
    }

    /// Whether the order is done, or needs a review.
    private func judge(_ order: inout WorkServerOrder, _ result: WorkResult) {
        let units = units.filter { $0.order == order.sheet.number }
        let isWhole = order.isListed || order.sheet.expected != nil
        let isDone =
            isWhole && units.count >= order.sheet.expected ?? 1 && units.allSatisfy { $0.state == .verified }
        switch order.sheet.state {
        case .golden, .open, .held: if isDone { return order.go(.done) }
        case .done: if !isDone { order.go(.open) }
        case .draft, .cancelled: return
        }
        if order.sheet.state == .golden {
            if result.outcome.isFailure { return order.hold("golden-failed", result.key) }
            if passed(of: order.sheet.number) >= order.golden {
                return order.hold("golden-passed", "the others wait for a release")
            }
        }
        if order.sheet.state != .held { order.applyStopRule() }
    }

    private func refusal(of result: WorkResult) -> DeliveryAnswer? {
        guard result.body.utf8.count <= Self.largestBody else {
            return .refused(code: .workServer.resultTooLarge, message: "its body has more than 1 MiB")
        }
        let isUUID = UUID(uuidString: result.id)?.uuidString.lowercased() == result.id
        let isWhole = HexText.encode(SHA256Digest.digest(result.body.utf8)) == result.sha256
        guard isUUID, result.sequence > 0, isWhole, isObject(result.body) else {
            return .refused(code: .workServer.resultUnusable, message: "its id, number, hash or body is none")
        }
        return nil
    }
}

/// Whether a text is a JSON object. (A decoder accepts control characters in strings that are not decoded.)
private func isObject(_ text: String) -> Bool {
    struct Anything: Decodable { init(from decoder: any Decoder) {} }
    guard text.utf8.allSatisfy({ $0 >= 0x20 || "\t\n\r".utf8.contains($0) }) else { return false }
    return (try? JSONDecoder().decode([String: Anything].self, from: Data(text.utf8))) != nil
}
