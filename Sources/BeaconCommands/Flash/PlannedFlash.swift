import BeaconIdentity
import Catalogue

/// A package, the beacon that it is for, and why.
struct PlannedFlash: Sendable {
    let job: FlashJob
    let found: DeviceSearch.Result
    /// The catalogue's choice; nil where a file was named.
    var chosen: ReleaseSearch.Result?
    /// How many links may fail in a row.
    let patience: Int

    /// The version that the beacon has, as far as it is known.
    var installed: String? { chosen?.device.version ?? found.beacon.identity.version }
}
