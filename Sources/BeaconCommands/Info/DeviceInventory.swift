import BluetoothTypes
import GATT

/// What a connected device has told about itself.
struct DeviceInventory: Equatable, Sendable {
    /// What came of reading a characteristic.
    enum Reading: Equatable, Sendable {
        case value([UInt8])
        /// With the reason.
        case unread(String)
        /// Its properties do not allow it.
        case unreadable
    }

    struct CharacteristicEntry: Equatable, Sendable {
        let declaration: CharacteristicDeclaration
        var reading: Reading
        var descriptors: [DescriptorDeclaration] = []
        /// What the device calls it.
        var userDescription: String?

        /// What the Bluetooth SIG or the maker of an update service calls it.
        var assignedName: String? {
            let uuid = declaration.characteristic.uuid
            return uuid.characteristicName ?? UpdateService.characteristicNames[uuid]
        }
    }

    struct ServiceEntry: Equatable, Sendable {
        let declaration: ServiceDeclaration
        var characteristics: [CharacteristicEntry] = []
        /// Why its characteristics are not listed.
        var problem: String?
    }

    var services: [ServiceEntry] = []
    /// Why this is not all that the device has; nil when it is.
    var omission: String?

    /// The characteristics of every service, in the order of their handles.
    var characteristics: [CharacteristicEntry] { services.flatMap(\.characteristics) }

    /// The value of the first characteristic `uuid` in a service `service` that could be read.
    func value(_ service: UInt16, _ uuid: UInt16) -> [UInt8]? {
        let wanted = Characteristic(BluetoothUUID(service), BluetoothUUID(uuid))
        for entry in characteristics where entry.declaration.characteristic == wanted {
            if case .value(let bytes) = entry.reading { return bytes }
        }
        return nil
    }

    /// The same as text, without the zeros that some devices fill it up with.
    func text(_ service: UInt16, _ uuid: UInt16) -> String? {
        value(service, uuid).map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Whether a service has a characteristic.
    func offers(_ characteristic: Characteristic) -> Bool {
        characteristics.contains { $0.declaration.characteristic == characteristic }
    }
}
