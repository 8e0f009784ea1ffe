/// A characteristic, identified by its own UUID and that of its service.
public struct Characteristic: Hashable, Sendable {
    /// The service's UUID.
    public let service: BluetoothUUID
    /// The characteristic's UUID.
    public let uuid: BluetoothUUID

    /// The characteristic `uuid` of `service`.
    public init(_ service: BluetoothUUID, _ uuid: BluetoothUUID) {
        self.service = service
        self.uuid = uuid
    }
}

extension Characteristic: CustomStringConvertible {
    /// The characteristic's UUID, followed by the service's.
    public var description: String { "\(uuid) of service \(service)" }
}
