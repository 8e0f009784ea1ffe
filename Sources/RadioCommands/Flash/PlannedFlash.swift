import Bluetooth
import CommandKit
import Firmware
import Identity
import UpdateModel

/// A package, and the beacon to install it on.
package struct PlannedFlash: Sendable {
    let job: FlashJob
    /// The SHA-256 of the package, in lower-case hexadecimal.
    let sha256: String
    let found: DeviceSearch.Result
    /// The catalogue's choice; nil if a file was named.
    var chosen: ReleaseSearch.Result?
    /// How many links may fail in a row.
    let timeout: Int
    /// Passwords and PINs.
    let secrets: SecretStore

    /// The installed version, if known.
    var installed: String? { chosen?.device.version ?? found.beacon.identity.version }

    /// How to continue with a unit that `failure` left in its bootloader or in an unknown state: a bootloader
    /// has neither the name nor the id of its application, and does not report which release it was sent. Nil
    /// if the same command works.
    func continuation(after failure: UpdateFailure, selectedBy selector: DeviceSelector?) -> String? {
        guard let state = failure.state, state.program != .application, state.application != .new
        else { return nil }
        // The failure's own next step names the program that came up.
        guard failure.code != .device.bootloaderNotFound else { return nil }
        let places = [found.application, found.application.neighbour(1)]
        let isElsewhere = state.program == .bootloader && !places.contains(state.address)
        let device = ["--device", "\(isElsewhere ? state.address : found.application)"]
        guard let chosen else {
            guard selector?.addresses.isEmpty ?? true else { return nil }
            return
                "then select it by its address, `\(device.joined(separator: " "))`: its bootloader has another name"
        }
        let words = ["beacon-dfu", "flash", job.path] + chosen.family.flashArguments + device
        return "a bootloader does not report which release it was sent, so name the package: `"
            + words.map(ShellWord.quoted).joined(separator: " ") + "`"
    }
}
