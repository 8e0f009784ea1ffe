import BluetoothTypes
import GATT
import Timing

/// Reads what a device offers. However much that is, it ends: at the deadline, or at a number of services and
/// characteristics that no beacon has.
struct InventoryReader: Sendable {
    static let mostServices = 64
    static let mostCharacteristics = 256
    static let mostDescriptors = 16
    private static let userDescription = BluetoothUUID(0x2901)

    private let client: ATTClient
    private let time: Timekeeper
    private let deadline: Duration
    private var inventory = DeviceInventory()

    /// Why reading goes no further.
    private struct Stop: Error {
        let reason: String
    }

    /// A reader that is done `limit` from now.
    init(_ client: ATTClient, time: Timekeeper, within limit: Duration) {
        self.client = client
        self.time = time
        deadline = time.now + limit
    }

    /// Reads everything. Throws only when not even the services can be listed.
    mutating func read() async throws -> DeviceInventory {
        let client = client
        let services: [ServiceDeclaration]
        do { services = try await bounded { try await client.discoverServices() } } catch let stop as Stop {
            inventory.omission = stop.reason
            return inventory
        }
        do {
            for service in services.prefix(Self.mostServices) { try await add(service) }
            if services.count > Self.mostServices {
                inventory.omission = "the device has \(services.count) services; these are the first"
            }
        } catch let stop as Stop {
            inventory.omission = stop.reason
        }
        try Task.checkCancellation()
        return inventory
    }

    private mutating func add(_ service: ServiceDeclaration) async throws {
        let client = client
        inventory.services.append(DeviceInventory.ServiceEntry(declaration: service))
        let place = inventory.services.count - 1
        let declarations: [CharacteristicDeclaration]
        do {
            declarations = try await bounded { try await client.discoverCharacteristics(in: service) }
        } catch let error as GATTError {
            inventory.services[place].problem = try Self.reason(error)
            return
        }
        for declaration in declarations {
            guard inventory.characteristics.count < Self.mostCharacteristics else {
                throw Stop(reason: "the device has more characteristics than \(Self.mostCharacteristics)")
            }
            var entry = DeviceInventory.CharacteristicEntry(declaration: declaration, reading: .unreadable)
            // What has been found out counts, also when the link is lost over the next question.
            defer { inventory.services[place].characteristics.append(entry) }
            try await fill(&entry)
        }
    }

    private func fill(_ entry: inout DeviceInventory.CharacteristicEntry) async throws {
        let client = client
        let declaration = entry.declaration
        if declaration.properties.contains(.read) {
            entry.reading = .unread("no time was left")
            do {
                entry.reading = .value(
                    try await bounded {
                        try await client.read(
                            at: declaration.valueHandle, of: declaration.characteristic.uuid)
                    })
            } catch let error as GATTError {
                entry.reading = .unread(Self.words(error))
                _ = try Self.reason(error)
            }
        }
        do {
            let descriptors = try await bounded { try await client.discoverDescriptors(of: declaration) }
            entry.descriptors = Array(descriptors.prefix(Self.mostDescriptors))
            guard let place = entry.descriptors.first(where: { $0.uuid == Self.userDescription }) else {
                return
            }
            let text = try await bounded { try await client.read(at: place.handle, of: place.uuid) }
            entry.userDescription = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        } catch let error as GATTError {
            _ = try Self.reason(error)
        }
    }

    /// What `body` gives before the deadline.
    private func bounded<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let left = deadline - time.now
        guard left > .zero, let value = try await time.within(left, body) else {
            try Task.checkCancellation()
            throw Stop(reason: "the device answers too slowly, or has too much to tell")
        }
        return value
    }

    /// The reason for one attribute's failure; throws when nothing else will go either.
    private static func reason(_ error: GATTError) throws -> String {
        switch error {
        case .refused, .malformed, .notEncrypted, .missing, .unsuitable: return words(error)
        case .disconnected, .cancelled, .transactionTimeout, .unexpectedAnswer, .bearer:
            try Task.checkCancellation()
            throw Stop(reason: "\(error)")
        }
    }

    private static func words(_ error: GATTError) -> String {
        if case .refused(let status, _, _) = error { return "\(status)" }
        return "\(error)"
    }
}
