import Bluetooth

/// The code under test: what a phone does to send a Nordic beacon to its bootloader.
struct PhoneClient {
    enum Outcome { case left, refused, silent }

    static let buttonless = Characteristic(
        BluetoothUUID(0xFE59), BluetoothUUID(high: 0x8EC9_0003_F315_4F60, low: 0x9FB8_8388_30DA_EA50))

    let gatt: any GATTClient
    let time: Timekeeper

    func enterBootloader() async throws -> Outcome {
        let answers = try await gatt.notifications(from: Self.buttonless)
        try await gatt.write([0x01], to: Self.buttonless)
        switch try await answers.next(within: .seconds(3), by: time) {
        case .value([0x20, 0x01, 0x01]): return .left
        case .value: return .refused
        case .timedOut, .disconnected: return .silent
        }
    }
}
