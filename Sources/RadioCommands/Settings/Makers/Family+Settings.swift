import Feasycom
import Identity
import KKM
import Orange

extension Family {
    /// The kinds of settings that are known.
    package static let settings: [any MakerSettings.Type] = [
        KBeaconSettings.self, FBeaconSettings.self, OrangeTagSettings.self,
    ]
    /// The settings of this family's beacons; nil if none are known.
    package var settings: (any MakerSettings.Type)? { Self.settings.first { $0.family == self } }
}
