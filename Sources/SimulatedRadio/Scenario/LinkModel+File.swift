extension LinkModel {
    init(_ file: ScenarioFile.Link) throws(Scenario.Flaw) {
        self.init()
        // Judged as numbers: not every one of them is a duration.
        guard (1...4000).contains(file.intervalMilliseconds ?? 15),
            (0...4000).contains(file.eventMilliseconds ?? 0)
        else { throw Self.limits }
        if let interval = file.intervalMilliseconds { self.interval = .seconds(interval / 1000) }
        eventLength = min(file.eventMilliseconds.map { .seconds($0 / 1000) } ?? eventLength, interval)
        if let dataLength = file.dataLength { self.dataLength = dataLength }
        if let phy = file.phy {
            guard let known = PHY(rawValue: phy) else {
                throw Scenario.Flaw(text: "phy is 1M or 2M, not \(phy)")
            }
            self.phy = known
        }
        guard (27...251).contains(self.dataLength), eventLength > .zero else { throw Self.limits }
        packetsPerEvent = file.packetsPerEvent
        isEncrypted = file.isEncrypted ?? false
        loss = file.loss ?? 0
        seed = file.seed ?? 0
        guard (0...0.9).contains(loss), packetsPerEvent ?? 1 >= 1 else { throw Self.limits }
    }

    private static let limits = Scenario.Flaw(
        text:
            "a link has interval_ms from 1 to 4000, event_ms above 0 and up to 4000, data_length from 27 to 251, "
            + "packets_per_event of at least 1, and loss from 0 to 0.9")
}
