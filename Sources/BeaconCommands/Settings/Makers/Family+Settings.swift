import BeaconIdentity
import FBeacon
import KBeacon
import OrangeTag

extension Family {
    /// The makers of whose beacons settings are known.
    static let settings: [any MakerSettings.Type] = [
        KBeaconSettings.self, FBeaconSettings.self, OrangeTagSettings.self,
    ]
    /// Those of beacons of this kind; nil where none are known.
    var settings: (any MakerSettings.Type)? { Self.settings.first { $0.family == self } }
}
