import Bluetooth
import Bytes

extension AdvertiserDescription {
    /// Reads what scanners and connected clients see.
    mutating func read(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        rssi = try entry.number("rssi") ?? rssi
        guard let file = entry["information"] else { return }
        let values = try file.values(of: Self.characteristics.map(\.name))
        for (name, number) in Self.characteristics {
            guard let text = try values[name]?.text() else { continue }
            information[number] = text.isEmpty ? nil : Array(text.utf8)
        }
    }

    /// The strings of Device Information (GATT Specification Supplement).
    private static let characteristics: [(name: String, number: UInt16)] = [
        ("manufacturer", 0x2A29), ("model", 0x2A24), ("serial", 0x2A25), ("hardware", 0x2A27),
        ("firmware", 0x2A26), ("software", 0x2A28),
    ]
}
