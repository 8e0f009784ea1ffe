import Bytes

/// The value interface: the operations of an updater on a connected peripheral.
public protocol GATTClient: Sendable {
    /// The MTU that both ends agreed on, in bytes; 23 before that.
    var mtu: Int { get async }
    func offers(_ characteristic: Characteristic) async throws(GATTError) -> Bool
    func discoverServices() async throws(GATTError) -> [ServiceDeclaration]
    func discoverCharacteristics(in service: ServiceDeclaration) async throws(GATTError)
        -> [CharacteristicDeclaration]
    func discoverDescriptors(of declaration: CharacteristicDeclaration) async throws(GATTError)
        -> [DescriptorDeclaration]
    /// The whole value of the attribute `uuid` at `handle`: for descriptors, and for characteristics that occur several
    /// times in a service.
    func read(at handle: UInt16, of uuid: BluetoothUUID) async throws(GATTError) -> [UInt8]
    /// The whole value, however long.
    func read(_ source: Characteristic) async throws(GATTError) -> [UInt8]
    /// Writes and waits for the acknowledgement.
    func write(_ value: [UInt8], to target: Characteristic) async throws(GATTError)
    /// Writes without acknowledgement; waits only for space in the send queue.
    func send(_ value: [UInt8], to target: Characteristic) async throws(GATTError)
    /// Sends all of `bytes` without acknowledgement, in writes of `length` bytes; the last may be shorter.
    func send(_ bytes: ArraySlice<UInt8>, inWritesOf length: Int, to target: Characteristic)
        async throws(GATTError)
    /// Turns notifications on, or indications if `source` has no notifications. The queue has all values from then on.
    func notifications(from source: Characteristic) async throws(GATTError) -> NotificationQueue
}

extension GATTClient {
    public func send(
        _ bytes: ArraySlice<UInt8>, inWritesOf length: Int, to target: Characteristic
    ) async throws(GATTError) {
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: length) {
            try await send(Array(bytes[start..<min(start + length, bytes.endIndex)]), to: target)
        }
    }

    /// The maximum number of bytes in one write without response: the MTU less opcode (1 byte) and handle (2 bytes).
    public var maximumWriteLength: Int { get async { await mtu - 3 } }
}
