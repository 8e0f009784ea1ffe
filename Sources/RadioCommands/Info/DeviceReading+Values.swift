package import Bluetooth
import Firmware

extension DeviceReading {
    private static let texts = [
        (0x1800, 0x2A00), (0x180A, 0x2A24), (0x180A, 0x2A25), (0x180A, 0x2A27), (0x180A, 0x2A26),
        (0x180A, 0x2A28),
    ].map { (service: UInt16, uuid: UInt16) in Characteristic(BluetoothUUID(service), BluetoothUUID(uuid)) }
    private static let batteryLevel = Characteristic(BluetoothUUID(0x180F), BluetoothUUID(0x2A19))

    /// The characteristics that are read.
    package static let sources = texts + [batteryLevel]

    /// Decodes the `values` of ``sources``.
    package init(_ values: [Characteristic: [UInt8]]) {
        self.init()
        let texts = Self.texts.map { values[$0].flatMap(Self.text) }
        (name, model, serial) = (texts[0], texts[1], texts[2])
        (hardware, firmware, software) = (texts[3], texts[4], texts[5])
        // In percent (Battery Service 1.1, 3.1); other values are invalid.
        battery = values[Self.batteryLevel]?.first.flatMap { $0 <= 100 ? Int($0) : nil }
    }

    /// The text in a value that may be padded with zeros, spaces or FF; nil for an empty text.
    private static func text(_ value: [UInt8]) -> String? {
        let text = String(decoding: value.prefix { $0 != 0 && $0 != 0xFF }, as: UTF8.self)
        let words = text.split(separator: " ").joined(separator: " ")
        return words.isEmpty ? nil : words
    }
}
