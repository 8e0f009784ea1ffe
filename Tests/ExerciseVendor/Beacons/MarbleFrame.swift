import Bluetooth

/// What a Marble beacon says of itself in its scan response (README.md, On the air).
struct MarbleFrame {
    /// Three numbers with dots; others are sent as 0.
    let version: String
    /// In percent.
    var battery: UInt8 = 90

    var element: AdvertisingData.Element {
        let numbers = version.split(separator: ".").prefix(3).map { UInt8($0) ?? 0 }
        let padding = [UInt8](repeating: 0, count: 3 - numbers.count)
        return .manufacturer(0xFFFF, [0x4D, 0x42] + numbers + padding + [battery])
    }
}
