package import Bluetooth
package import Firmware
package import UpdateEngine
package import UpdateModel

/// Finds the release for a beacon; queries the beacon if its advertisements are not enough.
package struct ReleaseSearch: Sendable {
    package let catalogue: Catalogue
    package let channels: Set<CatalogueChannel>
    /// Whether the user's own battery limit replaces those of the families.
    package let hasOwnBatteryLimit: Bool
    /// The version of the release that the user has named; nil for the latest that fits.
    private let namedVersion: String?

    package init(
        catalogue: Catalogue, channels: Set<CatalogueChannel>, hasOwnBatteryLimit: Bool,
        naming namedVersion: String? = nil
    ) {
        (self.catalogue, self.channels, self.hasOwnBatteryLimit) = (catalogue, channels, hasOwnBatteryLimit)
        self.namedVersion = namedVersion
    }

    package struct Result: Sendable {
        package let device: CatalogueDevice
        package let family: CatalogueFamily
        package let release: CatalogueFirmware
        /// The version that the catalogue chooses after this release; nil if there is none.
        package let next: String?
        package var downgrade: CatalogueMatch.Warning?

        /// The version that the application will show on a link; nil unless the catalogue says where it does.
        package var shownVersion: String? {
            switch family.versionSource {
            case .firmwareRevision, .softwareRevision, .session: release.version
            case .advertising, nil: nil
            }
        }

        /// The version that the application will advertise; nil unless the catalogue says that it does.
        package var advertisedVersion: String? {
            family.versionSource == .advertising ? release.version : nil
        }
    }

    /// The match for `beacon` by its advertisements alone.
    package func match(_ beacon: BeaconSighting) -> CatalogueMatch { match(CatalogueDevice(beacon)) }

    /// The release for `beacon`, reported on `console`; throws if there is none to install.
    package func find(
        for beacon: BeaconSighting, with adapter: some Adapter, by secrets: SecretStore,
        telling console: Console
    ) async throws -> Result {
        let found = try await choose(
            for: beacon, with: adapter, by: secrets, warning: { console.warn($0, $1) }
        ) { note in
            switch note {
            case .asking:
                if !console.style.isJSON { console.notice("asking \(beacon.address) for its identity") }
            case .matched(let match): console.event(match.line)
            }
        }
        if !console.style.isJSON {
            let installed = found.device.version.map { ", replacing \($0)" } ?? ""
            console.notice(
                "\(beacon.address): installing \(found.family.name) version \(found.release.version)\(installed)"
            )
        }
        return found
    }

    package enum Note: Sendable {
        /// The beacon is being queried over a connection.
        case asking
        case matched(CatalogueMatch)
    }

    /// The release for `beacon`; throws if there is none to install.
    package func choose(
        for beacon: BeaconSighting, with adapter: some Adapter, by secrets: SecretStore,
        warning warn: (FailureCode, String) -> Void, telling tell: (Note) -> Void = { _ in }
    ) async throws -> Result {
        var device = CatalogueDevice(beacon)
        var match = match(device)
        let sessionFacts = secrets.factsReported(by: beacon, taking: match.family?.device.kind)
        let isAsked = match.nextReading(inSession: sessionFacts) != nil
        if isAsked, beacon.isConnectable != false {
            try FlashJob.checkMaker(of: beacon)
            tell(.asking)
            let known = try await ShortReading(with: adapter).complete(
                beacon, for: catalogue, channels: channels, by: secrets)
            for warning in known.warnings { warn(warning.code, "\(beacon.address): \(warning.words)") }
            device = known.device
            match = self.match(device)
        }
        for warning in match.warnings { warn(warning.code, warning.words) }
        tell(.matched(match))
        guard let family = match.family, let release = hasOwnBatteryLimit ? match.release : match.chosen
        else {
            if namedVersion != nil, let failure = refusal(of: match, for: beacon) { throw failure }
            switch match.outcome {
            // The catalogue has no better explanation.
            case .notListed, .unknown: try FlashJob.checkMaker(of: beacon)
            default: break
            }
            throw match.failure(for: beacon.address)
        }
        guard namedVersion != nil else {
            return Result(
                device: device, family: family, release: release, next: next(after: release, on: device))
        }
        let downgrade = match.warnings.first { $0.code == .finding.downgrade }
        return Result(device: device, family: family, release: release, next: nil, downgrade: downgrade)
    }

    private func match(_ device: CatalogueDevice) -> CatalogueMatch {
        catalogue.match(device, channels: channels, naming: namedVersion)
    }

    /// The failure for a release that the user has named and that is not installed; nil if the match decides nothing
    /// about it.
    private func refusal(of match: CatalogueMatch, for beacon: BeaconSighting) -> CommandFailure? {
        guard let namedVersion, let family = match.family,
            match.outcome == .noFirmware || match.outcome == .upToDate
        else { return nil }
        let step = "choosing the release"
        guard let rejection = match.rejectionOfNamed else {
            let versions = family.firmware.filter { $0.withdrawn == nil }.map(\.version)
            return CommandFailure(
                .catalogue.releaseNotListed, during: step,
                message: "\(beacon.address): \(family.name) has no release \(namedVersion); there are "
                    + (versions.isEmpty ? "none" : versions.joined(separator: ", ")))
        }
        return CommandFailure(
            rejection.reason.code, during: step,
            message: "\(beacon.address): \(family.name) \(rejection.firmware.version) "
                + (rejection.reason == .withdrawn ? "was " : "") + rejection.words,
            nextStep: nextStep(after: rejection.reason),
            exit: rejection.reason == .sameVersion ? .nothingToDo : .failed)
    }

    /// What to do about a named release that is not installed; nil for the advice of the reason itself.
    private func nextStep(after reason: CatalogueMatch.Reason) -> String? {
        switch reason {
        case .withdrawn: "name another release with --release, or leave the option out for the latest"
        case .sameVersion: "no action is needed; to install it once more, flash its package by its name"
        default: nil
        }
    }

    private func next(after release: CatalogueFirmware, on device: CatalogueDevice) -> String? {
        var device = device
        device.version = release.version
        return match(device).release?.version
    }
}

extension FrameVersion {
    /// The version in the frames of any maker's beacons, which must be `expected` if given.
    package static func advertised(expecting expected: String? = nil) -> FrameVersion {
        FrameVersion(expecting: expected) { data, address in AdvertisedIdentity(data, from: address).version }
    }
}
