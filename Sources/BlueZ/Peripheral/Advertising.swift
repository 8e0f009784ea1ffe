import Bytes

/// What a controller advertises, and how, as the management interface encodes it (BlueZ `doc/mgmt-api.txt`).
struct Advertising: Equatable, Sendable {
    /// Scanners receive the data at once, and the scan response on request.
    var payload: AdvertisingPayload
    /// Time between two advertisements, in steps of 0.625 ms.
    var interval = Duration.milliseconds(100)

    /// The only advertising instance that we use.
    static let instance: UInt8 = 1

    /// Bit 0: connectable, whatever the controller's own setting. No flags that make the kernel add to the data.
    private static let connectable: UInt32 = 1 << 0
    /// Bit 14: the intervals are set.
    private static let hasInterval: UInt32 = 1 << 14
    /// The kernel's choice, in dBm.
    private static let anyPower: UInt8 = 0x7F

    /// Add Advertising.
    ///
    ///     0  1  instance
    ///     1  4  flags
    ///     5  2  duration, 2  timeout; 0 for none
    ///     9  1  length n of data
    ///    10  1  length m of the scan response
    ///    11  n, m
    var bytes: [UInt8] { Self.head(Self.connectable) + content }

    /// Add Extended Advertising Parameters.
    ///
    ///     0  1  instance
    ///     1  4  flags
    ///     5  2  duration, 2  timeout; 0 for none
    ///     9  4  shortest interval, 4  longest interval, 0.625 ms
    ///    17  1  transmit power
    var parameters: [UInt8] {
        let steps = UInt32(min(max(interval / .microseconds(625), 0x20), 0x4000)).bytes()
        return Self.head(Self.connectable | Self.hasInterval) + steps + steps + [Self.anyPower]
    }

    /// Add Extended Advertising Data.
    ///
    ///     0  1  instance
    ///     1  1  length n of data
    ///     2  1  length m of the scan response
    ///     3  n, m
    var data: [UInt8] { [Self.instance] + content }

    private static func head(_ flags: UInt32) -> [UInt8] { [instance] + flags.bytes() + [0, 0, 0, 0] }

    private var content: [UInt8] {
        [UInt8(clamping: payload.data.count), UInt8(clamping: payload.scanResponse.count)]
            + payload.data + payload.scanResponse
    }
}
