import Bluetooth

/// The services of a Marble beacon (README.md, On the air, and Session).
enum MarbleService {
    static let uuid = number(0x0001)
    static let header = Characteristic(uuid, number(0x0002))
    static let data = Characteristic(uuid, number(0x0003))
    static let command = Characteristic(uuid, number(0x0004))
    static let state = Characteristic(uuid, number(0x0005))

    static let request = Characteristic(number(0x0011), number(0x0012))
    static let answer = Characteristic(number(0x0011), number(0x0013))

    private static func number(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: 0x4D41_0000_7262_4C65 | number << 32, low: 0x9A3C_5D1E_F07B_2468)
    }
}
