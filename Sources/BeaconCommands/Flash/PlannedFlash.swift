import BeaconIdentity
import Catalogue
import Radio
import UpdateCore

/// A package, the beacon that it is for, and why.
struct PlannedFlash: Sendable {
    let job: FlashJob
    let found: DeviceSearch.Result
    /// The catalogue's choice; nil where a file was named.
    var chosen: ReleaseSearch.Result?
    /// How many links may fail in a row.
    let patience: Int
    /// Passwords and PINs.
    let secrets: SecretKeeper

    /// The version that the beacon has, as far as it is known.
    var installed: String? { chosen?.device.version ?? found.beacon.identity.version }

    /// How a unit goes on that `failure` has left in its bootloader: that does not say which release it was given, so a
    /// catalogue cannot choose it once more. Nil where the same command does.
    func continuation(after failure: UpdateFailure) -> String? {
        guard let chosen, let state = failure.state, state.program != .application, state.application != .new
        else { return nil }
        let words =
            ["beacon-dfu", "flash", job.path] + chosen.family.flashArguments
            + ["--device", "\(found.beacon.address)"]
        return "a bootloader does not say which release it was given, so name the package then: `"
            + words.map(ShellWord.quoted).joined(separator: " ") + "`"
    }
}
