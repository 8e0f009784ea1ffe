import BluetoothTypes
import FirmwareModel
import GATT
import UpdateCore

extension ATTClient {
    /// Hears of every value that is read.
    typealias Reader = @Sendable (Characteristic, [UInt8]) -> Void

    private static let firmwareRevision = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A26))
    private static let softwareRevision = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A28))

    /// What the device calls its firmware (Device Information Service 1.1, 3.5); nil when it does not say.
    func readRevision(telling tell: Reader) async throws(GATTError) -> Revision? {
        try await revision(in: Self.firmwareRevision, tell)
    }

    /// The same, or its software revision (3.6) where that is what was promised and the other is not: of a program
    /// with the vendor's SDK in it, either may be the program's.
    func readRevision(
        meeting expectedVersion: ExpectedVersion?, telling tell: Reader
    ) async throws(GATTError) -> Revision? {
        let firmware = try await readRevision(telling: tell)
        guard let expectedVersion, !(firmware.map { expectedVersion.isMet(by: $0.text) } ?? false) else {
            return firmware
        }
        let software = try await revision(in: Self.softwareRevision, tell)
        return software.map { expectedVersion.isMet(by: $0.text) } ?? false ? software : firmware ?? software
    }

    private func revision(
        in characteristic: Characteristic, _ tell: Reader
    ) async throws(GATTError) -> Revision? {
        try await text(in: characteristic, tell).map { Revision(text: $0, source: characteristic.uuid) }
    }

    /// The text in `characteristic`; nil where there is none.
    func text(in characteristic: Characteristic, _ tell: Reader) async throws(GATTError) -> String? {
        // Some devices send the terminating zero of their C string.
        try await value(of: characteristic, tell)
            .map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            .flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What is in `characteristic`; nil where there is no such thing, or it may not be read.
    func value(of characteristic: Characteristic, _ tell: Reader) async throws(GATTError) -> [UInt8]? {
        do throws(GATTError) {
            guard try await offers(characteristic) else { return nil }
            let value = try await read(characteristic)
            tell(characteristic, value)
            return value
        } catch {
            switch error {
            case .refused, .unsuitable, .notEncrypted, .missing: return nil
            default: throw error
            }
        }
    }
}
