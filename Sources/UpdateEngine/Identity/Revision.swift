import Bluetooth

/// The version text that a program reports.
struct Revision: Equatable, Sendable {
    /// Firmware revision (Device Information Service 1.1, 3.5).
    static let firmware = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A26))
    /// Software revision (3.6).
    static let software = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A28))

    var text: String
    /// The characteristic with the text; nil if it was read in a session.
    var source: BluetoothUUID?
}

extension String {
    /// The text of a characteristic's value; nil if it is empty. Some devices send the terminating zero of their C
    /// string.
    init?(characteristicValue value: [UInt8]) {
        self.init(decoding: value.prefix { $0 != 0 }, as: UTF8.self)
        if isEmpty { return nil }
    }
}
