import BluetoothTypes
import GATT
import UpdateCore

extension ATTClient {
    /// What the device runs, as far as `questions` go; `list` hears of its services before it is asked for its version.
    func program(
        _ questions: ProgramQuestions, telling tell: Reader,
        listing list: ([BluetoothUUID]) -> Void = { _ in }
    ) async throws(GATTError) -> Program {
        let receiver = try await receiver(by: questions.targetSignature)
        list(try await discoverServices().map(\.uuid))
        switch receiver {
        // A bootloader shows no version.
        case let receiver? where questions.knowsVersion || receiver == .bootloader:
            return .receiver(receiver, revision: nil)
        case let receiver?:
            return .receiver(
                receiver, revision: try await readRevision(meeting: questions.expectedVersion, telling: tell))
        case nil:
            let revision = try await readRevision(telling: tell)
            for entryCharacteristic in questions.entryCharacteristics
            where try await offers(entryCharacteristic) {
                return .application(entryCharacteristic: entryCharacteristic, revision: revision)
            }
            return .application(entryCharacteristic: nil, revision: revision)
        }
    }

    /// Which of the device's programs takes the update, by what it shows; nil where what runs takes none.
    private func receiver(by targetSignature: TargetSignature) async throws(GATTError) -> Receiver? {
        guard try await offers(targetSignature.control) else { return nil }
        let services = try await discoverServices().map(\.uuid)
        return targetSignature.receiver(
            TargetSignature.Sign(version: try await version(by: targetSignature), services: services))
    }

    /// What a device that allows no access at all says here it would say to everything else.
    private func version(by targetSignature: TargetSignature) async throws(GATTError) -> [UInt8]? {
        guard let version = targetSignature.version, try await offers(version) else { return nil }
        do { return try await read(version) } catch {
            guard case .refused(let status, _, _) = error, status != .insufficientAuthorization else {
                throw error
            }
            return nil
        }
    }
}
