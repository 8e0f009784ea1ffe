import Bluetooth
import CommandKit
import Firmware
import Tray
import UpdateEngine
import UpdateModel

/// The settings to write to the units of a tray, by maker and generation.
struct TraySettings: Sendable {
    private var all: [any VendorSettings] = []

    /// Reads the files; each is for the beacons of one kind.
    init(_ paths: [String]) throws(CommandFailure) {
        for path in paths {
            let settings = try SettingsFile(path: path).settings
            guard !all.contains(where: { Self.areForTheSame($0, settings) }) else {
                throw CommandFailure(
                    .command.settingsInvalid, during: "reading the settings",
                    message: "\(path) is for the same kind of beacons as another file")
            }
            all.append(settings)
        }
    }

    private static func areForTheSame(_ one: any VendorSettings, _ other: any VendorSettings) -> Bool {
        type(of: one) == type(of: other) && one.generationNumber == other.generationNumber
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

extension BatchPlanner {
    func configure(
        _ target: TrayTarget, found beacon: BeaconSighting, at address: DeviceAddress,
        with adapter: some Adapter, warning warn: @escaping WarningHandler,
        willWrite: @escaping @Sendable () async throws -> Void
    ) async throws -> [String]? {
        guard !settings.isEmpty else { return nil }
        // A beacon that was found in its bootloader has not revealed its maker.
        let vendor =
            beacon.isBootloader
            ? KnownVendors.withSessions.first(where: \.hasAnonymousBootloader)
            : KnownVendors.vendor(of: beacon)
        guard let vendor = vendor as? any SettingsVendor, settings.has(vendor) else {
            warn(.isOfAnotherMaker)
            return nil
        }
        do {
            return try await configure(
                vendor, beacon, at: address, with: adapter, warning: warn, willWrite: willWrite)
        } catch let failure as SessionFailure where beacon.isBootloader && failure.code == .session.notOffered
        {
            warn(.isOfAnotherMaker)
            return nil
        }
    }

    private func configure<Vendor: SettingsVendor>(
        _ vendor: Vendor, _ beacon: BeaconSighting, at address: DeviceAddress, with adapter: some Adapter,
        warning warn: @escaping WarningHandler, willWrite: @escaping @Sendable () async throws -> Void
    ) async throws -> [String]? {
        try await secrets.withSession(vendor, with: beacon, at: address, over: adapter) { session in
            guard let wanted = settings.settings(Vendor.Settings.self, for: await session.opened) else {
                warn(
                    AttemptRecord.Warning(
                        .command.settingsNotMeant, "no settings file is for beacons of its generation"))
                return nil
            }
            try await willWrite()
            return try await session.perform { SettingsChange(to: wanted, of: $0) }.map(\.row)
        }
    }
}

extension AttemptRecord.Warning {
    fileprivate static let isOfAnotherMaker = Self(
        .command.settingsNotMeant, "no settings file is for beacons of its maker")
}
