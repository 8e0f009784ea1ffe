import UpdateCore

extension UnitDriver {
    /// Remembers the application's settings before anything is done to it.
    mutating func noteSettings() {
        guard settings == nil, let found = introduction?.settings else { return }
        settings = found
        guard found.isEmpty else { return }
        report(
            .warning(
                .settingsUnread,
                "the settings of the beacon could not be read, so nothing shows whether they survive the update"
            ))
    }

    /// Says what of it is not as it was, once the update is over.
    mutating func compareSettings() {
        guard let before = settings, !before.isEmpty, let after = introduction?.settings else { return }
        settings = [:]
        guard !after.isEmpty else {
            report(.warning(.settingsUnread, "the settings of the beacon could not be read after the update"))
            return
        }
        let changed = before.filter { after[$0.key] != $0.value }
        report(.detail(.settingsCompared(kept: before.count - changed.count, changed: changed.count)))
        for (name, value) in changed.sorted(by: { $0.key < $1.key }) {
            report(.warning(.settingsChanged, "\(name) was \(value) and is \(after[name] ?? "gone")"))
        }
    }
}
