import UpdateCore

extension UnitDriver {
    /// Remembers what is set of the application before anything is done to it.
    mutating func noteSettings() {
        guard settings == nil, let found = introduction?.settings else { return }
        settings = found
        guard found.isEmpty else { return }
        report(
            .warning(
                .settingsUnread,
                "what is set of the beacon could not be read, so nothing shows whether it outlives the update"
            ))
    }

    /// Says what of it is not as it was, once the update is over.
    mutating func compareSettings() {
        guard let before = settings, !before.isEmpty, let after = introduction?.settings else { return }
        settings = [:]
        guard !after.isEmpty else {
            report(.warning(.settingsUnread, "what is set of the beacon could not be read after the update"))
            return
        }
        let changed = before.filter { after[$0.key] != $0.value }
        report(.detail(.settingsCompared(kept: before.count - changed.count, changed: changed.count)))
        for (name, value) in changed.sorted(by: { $0.key < $1.key }) {
            report(.warning(.settingsChanged, "\(name) was \(value) and is \(after[name] ?? "gone")"))
        }
    }
}
