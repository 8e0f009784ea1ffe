/// A characteristic by name: its own UUID and that of the service it belongs to.
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
    /// The characteristic's UUID, with the service's after it.
    public var description: String { "\(uuid) of service \(service)" }
}
