import Bluetooth
import Logging
import UpdateModel

extension UnitDriver {
    /// Stores the application's settings, as `found` before the update.
    mutating func noteSettings(_ found: ReportedSettings?) {
        guard settings == nil, let found else { return }
        settings = found
        guard found.values.isEmpty else { return }
        report(
            .warning(
                .settingsUnread,
                "the settings of the beacon could not be read, so they cannot be compared after the update"
            ))
    }

    /// Whether settings are still to be compared.
    private var hasSettings: Bool { settings?.values.isEmpty == false }

    /// Reads the settings of the application at `address` over another link, after a verified update.
    mutating func askForSettings(at address: DeviceAddress) async {
        guard hasSettings, let identifying else { return }
        var after = ReportedSettings()
        do {
            after = try await adapter.withLink(
                to: address, asking: LinkRequest(priority: policy.reconnectPriority), within: policy.connect,
                mayEncrypt: false
            ) { client, _ in
                try await client.exchangeMTU()
                guard let dialogue = try identifying(address, nil) else { return ReportedSettings() }
                return try await answer(to: dialogue, from: client, pausing: dialogue.leastInterval).settings
                    ?? ReportedSettings()
            }
        } catch { log.info("the settings could not be read again: \(error)") }
        compareSettings(with: after)
    }

    /// Reports settings that have changed with the update.
    mutating func compareSettings(with after: ReportedSettings?) {
        guard let before = settings, !before.values.isEmpty, let after else { return }
        settings = ReportedSettings()
        guard !after.values.isEmpty else {
            report(.warning(.settingsUnread, "the settings of the beacon could not be read after the update"))
            return
        }
        let comparison = SettingsComparison(before, after)
        report(.detail(.settingsCompared(comparison)))
        for row in comparison.changed {
            report(
                .warning(
                    .settingsChanged,
                    "\(row.name) was \(row.before) and is \(row.after?.description ?? "gone")"))
        }
    }
}
