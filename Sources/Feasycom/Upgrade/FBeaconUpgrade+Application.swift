import Bluetooth
public import UpdateModel

/// The parts of an upgrade that concern the application.
extension FBeaconUpgrade {
    /// A device with the mark of open containers, in its application and during the upgrade.
    public var targetSignature: TargetSignature {
        .application(
            FBeaconService.requests, blinking: FBeaconService.openMark, without: Self.notOpen,
            advertising: preferences.versionText == nil ? Self.advertisedVersion : nil,
            where: { OpenMark(value: $0) != nil })
    }

    static let notOpen = UpdateFailure.preparing(
        "not-an-open-fbeacon",
        "the beacon does not offer updates with open containers; nothing was written to it")

    private static let advertisedVersion: @Sendable (AdvertisingData) -> String? = { report in
        VersionFrame.version(in: report).map { "\($0)" }
    }

    /// It returns at the same address.
    public var applicationAddresses: Set<ExpectedAddress> { [.sameAddress] }
    /// Its address stays the same.
    public var mayMove: Bool { false }
    /// Every link begins at the first block.
    public var goesOn: Bool { false }
    /// One container is one part.
    public var part: UpdatePart? { nil }
    /// Unknown.
    public var inactivityLimit: Duration? { nil }
    /// An installed version is refused before anything is sent.
    public func meansInstalled(_ failure: UpdateFailure) -> Bool { false }

    /// The container's version, as the device advertises or reports it; or the user's text.
    public var expectedVersion: ExpectedVersion? {
        preferences.versionText.map { ExpectedVersion(text: $0) }
            ?? ExpectedVersion(listed: container.versions.upperBound)
    }

    /// Some devices write the image over their application.
    public var effectOnApplication: DeviceState.Application? {
        switch stage {
        case .fresh: nil
        case .entered: .intact
        case .begun, .ended: .unknown
        case .acknowledged: .new
        }
    }

    /// After the end the device may be done; before it, everything is sent again.
    public func linkEnded() -> DisconnectMeaning {
        switch (stage, state) {
        case (_, .cancelling(let failure?, _)) where !failure.mayReconnect,
            (_, .confirming(let failure?)) where !failure.mayReconnect:
            .refused(failure)
        case (.fresh, _): .interrupted
        case (.entered, _), (.begun, _): .restarting(within: Self.restartTimeout)
        case (.ended, _), (.acknowledged, _): .perhapsDone(completion)
        }
    }

    /// A device that copies the image before it starts needs time.
    var completion: Completion {
        Completion(
            isConfirmed: stage == .acknowledged, expectedAddresses: applicationAddresses,
            timeout: .milliseconds(30_000 + container.payload.count / 10))
    }

    /// The advice after a failed update.
    public func remedy(for failure: UpdateFailure) -> Advice? {
        switch failure.code {
        case .linkLost where stage != .fresh, .interrupted where stage != .fresh,
            .noAnswer where stage != .fresh:
            "run the same command again; it begins at the first byte, because such a transfer cannot be resumed"
        default: nil
        }
    }
}
