import Bytes

extension LinkModel {
    /// The link of a scenario file: a mapping, or the word `instant` for a link without air time.
    static func reading(_ value: YAMLValue) throws(YAMLProblem) -> LinkModel? {
        if let word = try? value.text() {
            guard word == "instant" else {
                throw value.problem("link must be a mapping or the word instant, not '\(word)'")
            }
            return nil
        }
        return try LinkModel(value)
    }

    private init(_ value: YAMLValue) throws(YAMLProblem) {
        self.init()
        let values = try value.values(of: [
            "interval_ms", "event_ms", "data_length", "phy", "packets_per_event", "encrypted", "loss", "seed",
            "changes",
        ])
        if let value = values["interval_ms"] {
            followsRequests = (try? value.text()) == "asked"
            if !followsRequests { interval = .seconds(try value.decimal(in: 1...4000) / 1000) }
        }
        if let value = values["event_ms"] {
            eventLength = .seconds(try value.decimal(in: 0...4000) / 1000)
            guard eventLength > .zero else { throw value.problem("event_ms must be above 0") }
        }
        if !followsRequests { eventLength = min(eventLength, interval) }
        dataLength = try values["data_length"]?.number(in: 27...251) ?? dataLength
        phy = try values["phy"]?.choice(of: [PHY.le1M, .le2M].named) ?? phy
        packetsPerEvent = try values["packets_per_event"]?.number(in: 1...Int(Int32.max))
        isEncrypted = try values["encrypted"]?.truth() ?? false
        loss = try values["loss"]?.decimal(in: 0...0.9) ?? 0
        seed = try values["seed"]?.number() ?? 0
        for entry in try values["changes"]?.list() ?? [] {
            let members = try entry.values(of: ["after_s", "interval_ms"])
            guard let moment = members["after_s"], let interval = members["interval_ms"] else {
                throw entry.problem("a change needs 'after_s' and 'interval_ms'")
            }
            let after = Duration.seconds(try moment.decimal(in: 0...86_400))
            guard changes.last.map({ $0.moment < after }) ?? true else {
                throw moment.problem("each time must be later than the one before")
            }
            changes.append(Change(after, .seconds(try interval.decimal(in: 1...4000) / 1000)))
        }
    }
}
