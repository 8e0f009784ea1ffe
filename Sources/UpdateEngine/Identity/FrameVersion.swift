public import BluetoothTypes

/// The firmware version in a unit's own frames, which proves what runs where nothing that is read on a link does.
public struct FrameVersion: Sendable {
    /// The version in what a report said of the unit at an address; nil where there is none.
    public let read: @Sendable (AdvertisingData, DeviceAddress) -> String?
    /// The version that the frames have to show after the update: what is read on a link is another number then. Nil where
    /// the frames only count when nothing else shows a version.
    public let expected: String?

    /// The version that `read` finds, which has to be `expected` where that is given.
    public init(
        expecting expected: String? = nil,
        _ read: @escaping @Sendable (AdvertisingData, DeviceAddress) -> String?
    ) {
        (self.expected, self.read) = (expected, read)
    }
}
