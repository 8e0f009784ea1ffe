import BeaconIdentity
import Catalogue
import Radio

/// Finds the release for a beacon, and asks the beacon where its advertisements do not tell enough.
struct ReleaseSearch: Sendable {
    let catalogue: Catalogue
    let channels: Set<CatalogueChannel>
    /// Whether the user's own limit counts in place of the families'.
    let leavesBattery: Bool

    /// What was found.
    struct Result: Sendable {
        /// The beacon, as far as it is known.
        let device: CatalogueDevice
        let family: CatalogueModel
        let release: CatalogueFirmware
        /// The version that comes after this release.
        let next: String?

        /// The version that the application will show, where the family shows it in Device Information.
        var shownVersion: String? {
            switch family.versionSource {
            case .firmwareRevision, .softwareRevision: release.version
            case .advertising, .session, nil: nil
            }
        }
    }

    /// What is known of `beacon` by its advertisements alone.
    func match(_ beacon: BeaconSighting) -> CatalogueMatch { match(CatalogueDevice(beacon)) }

    /// The release for `beacon`; throws where there is none to be installed.
    func find(
        for beacon: BeaconSighting, with adapter: some Adapter, telling console: Console
    ) async throws -> Result {
        var device = CatalogueDevice(beacon)
        var match = match(device)
        if match.isSettledByReading, beacon.isConnectable != false {
            if !console.style.isJSON { console.talk("asking \(beacon.address) what it is") }
            let reading = try await ShortReading(with: adapter).read(beacon)
            let warnings: [CatalogueMatch.Warning]
            (device, warnings) = catalogue.complete(device, with: reading)
            for warning in warnings { console.warn(warning.code, "\(beacon.address): \(warning.words)") }
            match = self.match(device)
        }
        for warning in match.warnings { console.warn(warning.code, warning.words) }
        console.event(match.line)
        guard let family = match.model, let release = leavesBattery ? match.release : match.chosen else {
            throw match.failure(for: beacon.address)
        }
        if !console.style.isJSON {
            let installed = device.version.map { ", where it has \($0)" } ?? ""
            console.talk("\(beacon.address): \(family.name) gets \(release.version)\(installed)")
        }
        return Result(
            device: device, family: family, release: release, next: next(after: release, on: device))
    }

    private func match(_ device: CatalogueDevice) -> CatalogueMatch {
        catalogue.match(device, channels: channels)
    }

    private func next(after release: CatalogueFirmware, on device: CatalogueDevice) -> String? {
        var device = device
        device.version = release.version
        return match(device).release?.version
    }
}
