public import Bluetooth

/// The devices heard near a unit before its update begins.
public struct EarlierScan: Equatable, Sendable {
    package var heard: Set<DeviceAddress>
    /// The adapter's time at which the search for the unit began: reports since then count, earlier ones may show the
    /// unit in another program. Nil if there was no search.
    package var since: Duration?
    /// The address of the unit's application, if its bootloader was selected because the application is silent.
    package var silentApplication: DeviceAddress?
    /// Whether firmware was already sent to this bootloader: then it is known to be the unit's.
    package var isConfirmedBootloader = false
    /// The firmware version in the unit's own advertisements.
    package var version: String?
    /// The version text that an earlier attempt has read from the application, which counts until it is read again.
    package var revision: Revision?

    public init(
        heard: Set<DeviceAddress> = [], since: Duration? = nil, silentApplication: DeviceAddress? = nil,
        version: String? = nil
    ) {
        (self.heard, self.since) = (heard, since)
        (self.silentApplication, self.version) = (silentApplication, version)
    }
}

/// The firmware version in a unit's advertisements, for verification if no version can be read over a link.
public struct FrameVersion: Sendable {
    /// Reads the version from the data that an address has advertised; nil if there is none.
    package let read: @Sendable (AdvertisingData, DeviceAddress) -> String?
    /// The version that the advertisements have to show after the update; a version read over a link is then another
    /// number. Nil if advertisements only count when nothing else shows a version.
    package let expected: String?

    package init(
        expecting expected: String? = nil,
        _ read: @escaping @Sendable (AdvertisingData, DeviceAddress) -> String?
    ) {
        (self.expected, self.read) = (expected, read)
    }
}
