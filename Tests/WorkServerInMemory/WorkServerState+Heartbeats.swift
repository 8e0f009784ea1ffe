import Work

/// Stations, and the journals in which results are numbered.
extension WorkServerState {
    mutating func sendHeartbeat(_ report: StationReport, at now: Duration) throws(WorkError) -> HeartbeatReply
    {
        let during = "greeting"
        let station = report.station
        if let flaw = StationIdentity.flaw(in: station.name) {
            throw .refusal(.workServer.stationName, during, flaw)
        }
        if let journal = journals[station.incarnation] {
            guard journal.station == station else {
                throw .refusal(
                    .workServer.journalCopied, during, "the journal is that of \(journal.station.name)")
            }
            guard report.lastSequence >= journal.highest else {
                throw .refusal(
                    .workServer.journalRestored, during, "the engine has later results of this journal")
            }
        }
        if let known = stations[station.name] {
            let isRecent = now - known.seen < .seconds(120)
            let hasUnits = units.contains { $0.station == station.name && $0.isHeld(at: now) }
            guard known.machine == station.machine || !isRecent && !hasUnits else {
                throw .refusal(.workServer.stationTaken, during, "another machine works as \(station.name)")
            }
            guard known.incarnation == station.incarnation || !isRecent || !hasUnits else {
                throw .refusal(
                    .workServer.stationAtWork, during, "\(station.name) is at work with another journal")
            }
        }
        bind(station, at: now)
        var contiguous: Int64 = 0
        while journals[station.incarnation]?.settled.contains(contiguous + 1) == true { contiguous += 1 }
        return HeartbeatReply(contiguous: contiguous)
    }

    mutating func bind(_ station: StationIdentity, at now: Duration) {
        stations[station.name] = (station.machine, station.incarnation, now)
        if journals[station.incarnation] == nil { journals[station.incarnation] = Journal(station: station) }
    }

    /// The station, if the work server knows it with its journal.
    func known(_ station: StationIdentity?, _ during: String) throws(WorkError) -> StationIdentity {
        guard let station, journals[station.incarnation]?.station == station else {
            throw WorkError(
                .unready, .workServer.stationNotGreeted, during: during,
                message: "send a heartbeat to the work server first")
        }
        return station
    }

    mutating func lose(after sequence: Int64) {
        results.removeAll { $0.result.sequence > sequence }
        for incarnation in journals.keys {
            guard var journal = journals[incarnation] else { continue }
            journal.settled = journal.settled.filter { $0 <= sequence }
            journal.highest = min(journal.highest, sequence)
            journals[incarnation] = journal
        }
    }
}
