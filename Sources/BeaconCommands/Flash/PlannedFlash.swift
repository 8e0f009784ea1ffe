import BeaconIdentity
import BluetoothTypes
import Catalogue
import Radio
import UpdateCore

/// A package, the beacon that it is for, and why.
struct PlannedFlash: Sendable {
    let job: FlashJob
    /// The SHA-256 of the package, in lower-case hexadecimal.
    let sha256: String
    let found: DeviceSearch.Result
    /// The catalogue's choice; nil where a file was named.
    var chosen: ReleaseSearch.Result?
    /// How many links may fail in a row.
    let timeout: Int
    /// Passwords and PINs.
    let secrets: SecretKeeper

    /// The version that the beacon has, as far as it is known.
    var installed: String? { chosen?.device.version ?? found.beacon.identity.version }

    /// How a unit goes on that `failure` has left in its bootloader, or nobody knows where: a bootloader has neither the name nor
    /// the id of its application, and does not say which release it was given. Nil where the same command does.
    func continuation(after failure: UpdateFailure, selectedBy selector: DeviceSelector?) -> String? {
        guard let state = failure.state, state.program != .application, state.application != .new
        else { return nil }
        // Who came up is in the failure's own next step.
        guard failure.code != .bootloaderNotFound else { return nil }
        let places = [found.application, found.application.neighbour(1)]
        let isElsewhere = state.program == .bootloader && !places.contains(state.address)
        let device = ["--device", "\(isElsewhere ? state.address : found.application)"]
        guard let chosen else {
            guard selector?.addresses.isEmpty ?? true else { return nil }
            return
                "select it by its address then, `\(device.joined(separator: " "))`: it has another name in its bootloader"
        }
        let words = ["beacon-dfu", "flash", job.path] + chosen.family.flashArguments + device
        return "a bootloader does not say which release it was given, so name the package then: `"
            + words.map(ShellWord.quoted).joined(separator: " ") + "`"
    }
}
