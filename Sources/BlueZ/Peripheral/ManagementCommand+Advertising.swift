import Bytes

extension ManagementCommand {
    /// The only advertising instance that we use.
    private static let instance: UInt8 = 1
    /// Bit 0: connectable, whatever the controller's own setting. No flags that make the kernel add to the data.
    private static let connectable: UInt32 = 1 << 0
    /// Bit 14: the intervals are set.
    private static let hasInterval: UInt32 = 1 << 14
    /// The time between two advertisements: 100 ms, in steps of 0.625 ms.
    private static let interval: UInt32 = 160
    /// The transmit power in dBm; this value lets the kernel choose.
    private static let anyPower: UInt8 = 0x7F

    /// Starts advertising; for kernels before 5.11.
    ///
    ///     0  1  instance
    ///     1  4  flags
    ///     5  2  duration, 2  timeout; 0 for none
    ///     9  1  length n of data, which scanners receive at once
    ///    10  1  length m of the scan response, which they receive on request
    ///    11  n, m
    static func addAdvertising(_ payload: AdvertisingPayload) -> Self {
        Self(0x003E, "Add Advertising", head(connectable) + content(of: payload))
    }

    static let removeAdvertising = Self(0x003F, "Remove Advertising", [instance])

    /// First of two steps to start advertising: its parameters (kernel 5.11).
    ///
    ///     0  1  instance
    ///     1  4  flags
    ///     5  2  duration, 2  timeout; 0 for none
    ///     9  4  shortest interval, 4  longest interval, 0.625 ms
    ///    17  1  transmit power
    static let addAdvertisingParameters = Self(
        0x0054, "Add Extended Advertising Parameters",
        head(connectable | hasInterval) + interval.bytes() + interval.bytes() + [anyPower])

    /// Second step: the data. It also replaces earlier data.
    ///
    ///     0  1  instance
    ///     1  1  length n of data
    ///     2  1  length m of the scan response
    ///     3  n, m
    static func addAdvertisingData(_ payload: AdvertisingPayload) -> Self {
        Self(0x0055, "Add Extended Advertising Data", [instance] + content(of: payload))
    }

    private static func head(_ flags: UInt32) -> [UInt8] { [instance] + flags.bytes() + [0, 0, 0, 0] }

    private static func content(of payload: AdvertisingPayload) -> [UInt8] {
        [UInt8(clamping: payload.data.count), UInt8(clamping: payload.scanResponse.count)]
            + payload.data + payload.scanResponse
    }
}
