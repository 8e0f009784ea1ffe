import BluetoothTypes
import GATT
import UpdateCore

extension ATTClient {
    private static let firmwareRevision = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A26))
    private static let softwareRevision = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A28))

    /// What the device calls its firmware (Device Information Service 1.1, 3.5); nil when it does not say.
    func readRevision() async throws(GATTError) -> String? { try await text(of: Self.firmwareRevision) }

    /// The same, or its software revision (3.6) where that is what was promised and the other is not: of a program
    /// with the vendor's SDK in it, either may be the program's.
    func readRevision(meeting promise: VersionPromise?) async throws(GATTError) -> String? {
        let firmware = try await readRevision()
        guard let promise, !(firmware.map(promise.isMet) ?? false) else { return firmware }
        let software = try await text(of: Self.softwareRevision)
        return software.map(promise.isMet) ?? false ? software : firmware ?? software
    }

    private func text(of characteristic: Characteristic) async throws(GATTError) -> String? {
        do throws(GATTError) {
            guard try await offers(characteristic) else { return nil }
            // Some devices send the terminating zero of their C string.
            let text = String(
                decoding: try await read(characteristic).prefix { $0 != 0 }, as: UTF8.self)
            return text.isEmpty ? nil : text
        } catch {
            switch error {
            case .refused, .unsuitable, .notEncrypted, .missing: return nil
            default: throw error
            }
        }
    }
}
