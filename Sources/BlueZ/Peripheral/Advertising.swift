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
    func write(to writer: inout ByteWriter) {
        writer.integer(Self.instance)
        writer.integer(Self.connectable)
        writer.integer(UInt32(0))
        writePayload(to: &writer)
    }

    /// Add Extended Advertising Parameters.
    ///
    ///     0  1  instance
    ///     1  4  flags
    ///     5  2  duration, 2  timeout; 0 for none
    ///     9  4  shortest interval, 4  longest interval, 0.625 ms
    ///    17  1  transmit power
    func writeParameters(to writer: inout ByteWriter) {
        writer.integer(Self.instance)
        writer.integer(Self.connectable | Self.hasInterval)
        writer.integer(UInt32(0))
        let steps = UInt32(min(max(interval / .microseconds(625), 0x20), 0x4000))
        writer.integer(steps)
        writer.integer(steps)
        writer.integer(Self.anyPower)
    }

    /// Add Extended Advertising Data.
    ///
    ///     0  1  instance
    ///     1  1  length n of data
    ///     2  1  length m of the scan response
    ///     3  n, m
    func writeData(to writer: inout ByteWriter) {
        writer.integer(Self.instance)
        writePayload(to: &writer)
    }

    private func writePayload(to writer: inout ByteWriter) {
        writer.integer(UInt8(clamping: payload.data.count))
        writer.integer(UInt8(clamping: payload.scanResponse.count))
        writer.append(payload.data)
        writer.append(payload.scanResponse)
    }
}
