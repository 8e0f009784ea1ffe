package import UpdateModel

extension KBeaconSettings {
    /// The queries for all settings of `peer`, each with the beginning of the paths that it covers.
    static func queries(to peer: Peer) -> [(part: KBeaconExchanges.Part, subject: String)] {
        let generation = peer.identity.generation
        func query(
            _ mask: Int, _ members: [(String, KBeaconMessage.Value)] = [], about subject: String = "",
            optional: Bool = false
        ) -> (KBeaconExchanges.Part, String) {
            let exchange = KBeaconExchange(
                generation.parametersQuery(in: mask, members).bytes, on: peer.terms,
                during: "reading the settings")
            return (KBeaconExchanges.Part(exchange, mayBeRefused: optional), subject)
        }
        let lists = generation.settingLists
        switch generation {
        case .first:
            let triggers = (0..<8).map { 1 << $0 }.filter { peer.identity.triggers & $0 != 0 }
            return [query(KBeaconGeneration.everything)]
                + lists.flatMap { list in
                    triggers.map { type in
                        query(
                            list.mask, [(list.identity.name, .number(type))], about: "\(list.name)[\(type)]",
                            optional: true)
                    }
                }
        case .second:
            // One query may ask for at most two groups; the first is for common parameters and advertisements.
            return [query(generation.commonParameters | lists[0].mask)]
                + lists.dropFirst().map { query($0.mask, about: $0.name, optional: true) }
        }
    }

    /// One message for the settings outside lists, and one for each entry of a list.
    package static func writing(
        _ changes: [SettingDifference<Path>], to found: KBeaconSettings, of peer: Peer
    ) -> KBeaconExchanges {
        var places: [Entry?] = []
        for change in changes where !places.contains(change.path.entry) { places.append(change.path.entry) }
        return KBeaconExchanges(
            places.map { entry in
                let own = changes.filter { $0.path.entry == entry }
                let members = entry.map { found.members(own, of: $0) } ?? found.members(own)
                let exchange = KBeaconExchange(
                    KBeaconMessage("cfg", members).bytes, on: peer.terms,
                    during: "writing \(entry.map { "\($0)" } ?? "the settings")")
                return KBeaconExchanges.Part(exchange)
            })
    }

    private func members(_ changes: [Difference]) -> [(String, KBeaconMessage.Value)] {
        let values = changes.map { ($0.path.key, $0.wanted.message) }
        guard generation == .first else { return values }
        // A key whose group is unknown is sent with the mask of all groups.
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
