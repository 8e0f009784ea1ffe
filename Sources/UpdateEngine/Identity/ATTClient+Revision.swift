import BluetoothTypes
import GATT

extension ATTClient {
    private static let firmwareRevision = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A26))

    /// What the device calls its firmware (Device Information Service 1.1, 3.5); nil when it does not say.
    func readRevision() async throws(GATTError) -> String? {
        do throws(GATTError) {
            guard try await offers(Self.firmwareRevision) else { return nil }
            // Some devices send the terminating zero of their C string.
            let text = String(
                decoding: try await read(Self.firmwareRevision).prefix { $0 != 0 }, as: UTF8.self)
            return text.isEmpty ? nil : text
        } catch {
            switch error {
            case .refused, .unsuitable, .notEncrypted, .missing: return nil
            default: throw error
            }
        }
    }
}
