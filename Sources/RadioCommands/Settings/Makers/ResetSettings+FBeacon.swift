import Bluetooth
import Bytes
import CommandKit
import Feasycom
import UpdateEngine
import UpdateModel

extension ResetSettings {
    /// Restores a Feasycom beacon. Its factory settings are not public, so only the changes can be shown.
    func restore(_ found: SessionOptions.Found, _ console: Console) async throws {
        let address = found.address
        try await confirm(address, console)
        console.warn(.command.restoreUntried, Self.untried)
        let before = try await found.withSession(of: FBeaconSettings.self, for: Self.purpose) { session in
            let before = try await session.perform { (_: Void) throws(SessionFailure) in
                FBeaconSettingsReading()
            }
            do {
                _ = try await session.perform { (_: Void) throws(SessionFailure) in
                    FBeaconExchange(.restore, during: "restoring")
                }
            } catch let failure as SessionFailure
                where [.device.noAnswer, .device.linkLost].contains(failure.code)
            {
                // It may restart without an answer.
                console.talk("\(address) did not answer AT+RESTORE")
            }
            return before
        }
        console.talk("\(address) was told to restore its settings; checking what has changed")
        var after: FBeaconSettings?
        do {
            after = try await found.withSession(of: FBeaconSettings.self, for: Self.purpose) { session in
                try await session.perform { (_: Void) throws(SessionFailure) in FBeaconSettingsReading() }
            }
        } catch let failure as CommandFailure {
            console.warn(
                .session.settingsUnread,
                "its settings can no longer be read: \(failure.message); it may have its factory PIN"
            )
        }
        let changes = after.map { $0.differences(from: before) }
        console.event(
            JSONLine(
                "reset",
                [
                    "device": .text(address.description), "maker": .text(FBeaconSettings.maker),
                    "model": .null,
                    "name": after?.values[.name].map { .text("\($0)") } ?? .null, "proven": .bool(false),
                    "changes": changes.map { .list($0.map(\.object)) } ?? .null,
                ]))
        if !console.style.isJSON { changes?.forEach { console.result(TerminalText($0.row)) } }
    }

    private static let untried =
        "AT+RESTORE was never tried on a Feasycom beacon: it is documented for their module FSC-BT691"
}
