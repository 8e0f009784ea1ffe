import Bluetooth
import Bytes

/// How long the kernel's controller waits for the next advertisement of a device that was heard, before the kernel
/// gives up the connection: "LE Autoconnect Timeout" of the default system configuration (BlueZ `doc/mgmt-api.txt`;
/// kernel `net/bluetooth/mgmt_config.c`, used in `check_pending_le_conn`). It also applies to connecting sockets.
struct ConnectionTimeout: Equatable, Comparable, Sendable {
    /// The type of the timeout's entry in the configuration.
    private static let type: UInt16 = 0x001B
    /// The default: 4 s (`HCI_LE_AUTOCONN_TIMEOUT`).
    static let usual = ConnectionTimeout(milliseconds: 4000)
    /// The milliseconds that mark our timeouts of whole seconds: nobody else would choose them, and the kernel's clock
    /// of 100 to 1000 Hz counts them exactly.
    private static let mark = 20
    /// More than the longest timeout that this program sets.
    static let longest = AdvertisingIntervals.longestConnectionTime + .seconds(2)

    let milliseconds: UInt16

    init(milliseconds: UInt16) { self.milliseconds = milliseconds }

    /// A timeout of ours, for an attempt of this length, which has to end first.
    init(outlasting attempt: Duration) {
        milliseconds = UInt16(clamping: Int((attempt / .seconds(1)).rounded(.up)) * 1000 + Self.mark)
    }

    /// Whether this is a timeout that this program sets during an attempt.
    var isOurs: Bool { self > .usual && Int(milliseconds) % 1000 == Self.mark }

    static func < (one: Self, other: Self) -> Bool { one.milliseconds < other.milliseconds }

    ///     0  2  type
    ///     2  1  length: 2
    ///     3  2  milliseconds
    var bytes: [UInt8] { Self.type.bytes() + [2] + milliseconds.bytes() }

    /// Finds the timeout among the entries of the configuration:
    ///
    ///     0  2  type
    ///     2  1  length n
    ///     3  n  value
    init(parsing reader: inout ByteReader) throws(ByteError) {
        var found: UInt16?
        while reader.remaining > 0 {
            let type: UInt16 = try reader.integer("type")
            let length: UInt8 = try reader.integer("length")
            var value = try reader.nested("value", Int(length))
            if type == Self.type { found = try value.integer("timeout") }
        }
        guard let found else {
            throw ByteError(
                offset: reader.offset, field: "timeout", reason: .truncated(needed: 5, available: 0))
        }
        milliseconds = found
    }
}
