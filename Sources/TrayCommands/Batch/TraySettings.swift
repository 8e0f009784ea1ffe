import CommandKit
import UpdateModel

/// The settings to write to the units of a tray, by maker and generation.
struct TraySettings: Sendable {
    private var all: [any VendorSettings] = []

    /// Reads the files; each is for the beacons of one kind.
    init(_ paths: [String]) throws(CommandFailure) {
        for path in paths {
            let settings = try SettingsFile(path: path).settings
            let isRepeated = all.contains {
                type(of: $0) == type(of: settings) && $0.generationNumber == settings.generationNumber
            }
            try require(
                !isRepeated, .command.settingsInvalid, during: "reading the settings",
                message: "\(path) is for the same kind of beacons as another file")
            all.append(settings)
        }
    }

    var isEmpty: Bool { all.isEmpty }

    /// The settings for the generation of `peer`.
    func settings<Settings: VendorSettings>(_: Settings.Type, for peer: Settings.Peer?) -> Settings? {
        guard let peer else { return nil }
        return all.compactMap { $0 as? Settings }
            .first { $0.generationNumber == Settings.generationNumber(of: peer) }
    }

    func has<Vendor: SettingsVendor>(_: Vendor) -> Bool { all.contains { $0 is Vendor.Settings } }
}
