public import Bluetooth

/// The firmware version in a unit's advertisements, for verification if no version can be read over a link.
public struct FrameVersion: Sendable {
    /// Reads the version from the data that an address has advertised; nil if there is none.
    public let read: @Sendable (AdvertisingData, DeviceAddress) -> String?
    /// The version that the advertisements have to show after the update; what is read over a link is another number
    /// then. Nil if advertisements only count when nothing else shows a version.
    public let expected: String?

    /// The version that `read` returns, which has to be `expected` if that is given.
    public init(
        expecting expected: String? = nil,
        _ read: @escaping @Sendable (AdvertisingData, DeviceAddress) -> String?
    ) {
        (self.expected, self.read) = (expected, read)
    }
}
