import UpdateModel

extension KBeaconSettings {
    /// The queries for all settings, with the path prefixes that they cover; `triggers` are the kinds that a
    /// beacon of the first generation has.
    static func questions(
        _ generation: KBeaconGeneration, triggers: Int
    ) -> [(message: KBeaconExchanges.Message, subject: String)] {
        func question(
            _ members: [(String, KBeaconMessage.Value)], about subject: String = "", optional: Bool = false
        ) -> (KBeaconExchanges.Message, String) {
            let message = KBeaconExchanges.Message(
                message: KBeaconMessage("getPara", members), mayBeRefused: optional,
                step: "reading the settings")
            return (message, subject)
        }
        switch generation {
        case .first:
            let kinds = (0..<8).map { 1 << $0 }.filter { triggers & $0 != 0 }
            return [question([("stype", .number(KBeaconGeneration.everything))])]
                + kinds.map {
                    question(
                        [("stype", .number(64)), ("trType", .number($0))], about: "trObj[\($0)]",
                        optional: true)
                }
        case .second:
            // One query may have at most two kinds.
            return [question([("type", .number(3))])]
                + [(4, "trObj"), (8, "srObj")].map {
                    question([("type", .number($0.0))], about: $0.1, optional: true)
                }
        }
    }

    /// The messages that apply the `changes` to a beacon with `found`: one for the settings outside lists, and
    /// one for each entry of a list.
    static func messages(_ changes: [Difference], to found: KBeaconSettings) -> [KBeaconExchanges.Message] {
        var places: [Entry?] = []
        for change in changes where !places.contains(change.path.entry) { places.append(change.path.entry) }
        return places.map { entry in
            let own = changes.filter { $0.path.entry == entry }
            let step = "writing \(entry.map { "\($0)" } ?? "the settings")"
            let members = entry.map { found.members(own, of: $0) } ?? found.members(own)
            return KBeaconExchanges.Message(message: KBeaconMessage("cfg", members), step: step)
        }
    }

    private func members(_ changes: [Difference]) -> [(String, KBeaconMessage.Value)] {
        let values = changes.map { ($0.path.key, $0.wanted.message) }
        guard generation == .first else { return values }
        // For a key with an unknown group, use the mask of all groups.
        let mask = changes.reduce(0) { $0 | (key(at: $1.path)?.mask ?? KBeaconGeneration.everything) }
        return [("stype", .number(mask))] + values
    }

    private func members(_ changes: [Difference], of entry: Entry) -> [(String, KBeaconMessage.Value)] {
        guard let list = generation.list(entry.list) else { return [] }
        let names = Set(changes.map(\.path.key))
        let companions = list.companions.filter { !names.contains($0) }.compactMap { key in
            self[entry, key].map { (key, $0.message) }
        }
        let identity = [(list.identity.name, KBeaconMessage.Value.number(entry.number))]
        let values = changes.filter { $0.path.key != list.identity.name }.map {
            ($0.path.key, $0.wanted.message)
        }
        guard generation == .second else { return [("stype", .number(list.mask))] + identity + values }
        return [(list.name, .list([identity + companions + values]))]
    }
}
