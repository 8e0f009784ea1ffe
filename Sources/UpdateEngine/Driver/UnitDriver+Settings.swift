import BluetoothTypes
import GATT
import Logging
import Radio
import Sessions
import UpdateCore

extension UnitDriver {
    /// Remembers the application's settings, which are `found` before anything is done to it.
    mutating func noteSettings(_ found: [String: String]?) {
        guard settings == nil, let found else { return }
        settings = found
        guard found.isEmpty else { return }
        report(
            .warning(
                .settingsUnread,
                "the settings of the beacon could not be read, so nothing shows whether they survive the update"
            ))
    }

    /// Whether it is still to be said what of it has changed.
    private var hasSettings: Bool { settings?.isEmpty == false }

    /// Asks the application at `address`, whose update is over and proven, for its settings over one more link.
    mutating func askForSettings(at address: DeviceAddress) async {
        guard hasSettings, let introducing else { return }
        var after: [String: String] = [:]
        do {
            after = try await adapter.withLink(
                to: address, asking: LinkRequest(priority: policy.reconnectPriority), within: policy.connect,
                mayEncrypt: false
            ) { client, _ in
                try await client.exchangeMTU()
                guard let dialogue = try introducing(address, nil) else { return [:] }
                return try await answer(to: dialogue, from: client, pausing: dialogue.leastInterval).settings
                    ?? [:]
            }
        } catch { log.info("the settings could not be read again: \(error)") }
        compareSettings(with: after)
    }

    /// Says what of it is not as it was, once the update is over.
    mutating func compareSettings(with after: [String: String]?) {
        guard let before = settings, !before.isEmpty, let after else { return }
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
