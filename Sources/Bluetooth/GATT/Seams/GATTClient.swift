/// The value interface: the operations of an updater on a connected peripheral.
public protocol GATTClient: Sendable {
    /// The MTU that both ends agreed on, 23 until they have.
    var mtu: Int { get async }
    /// Whether the peripheral has `characteristic`.
    func offers(_ characteristic: Characteristic) async throws(GATTError) -> Bool
    /// Every primary service.
    func discoverServices() async throws(GATTError) -> [ServiceDeclaration]
    /// The characteristics between the handles of `service`.
    func discoverCharacteristics(in service: ServiceDeclaration) async throws(GATTError)
        -> [CharacteristicDeclaration]
    /// The descriptors of a characteristic.
    func discoverDescriptors(of declaration: CharacteristicDeclaration) async throws(GATTError)
        -> [DescriptorDeclaration]
    /// The whole value at `handle`, which belongs to `uuid`.
    func read(at handle: UInt16, of uuid: BluetoothUUID) async throws(GATTError) -> [UInt8]
    /// The whole value, however long.
    func read(_ source: Characteristic) async throws(GATTError) -> [UInt8]
    /// Writes and waits for the acknowledgement.
    func write(_ value: [UInt8], to target: Characteristic) async throws(GATTError)
    /// Writes without acknowledgement; waits only for space in the send queue.
    func send(_ value: [UInt8], to target: Characteristic) async throws(GATTError)
    /// The same with all of `bytes`, in writes of `length` bytes; the last may be shorter.
    func send(_ bytes: ArraySlice<UInt8>, inWritesOf length: Int, to target: Characteristic)
        async throws(GATTError)
    /// Turns notifications (or indications) on, and collects them from the first one on.
    func notifications(from source: Characteristic) async throws(GATTError) -> NotificationQueue
}

extension GATTClient {
    /// Sends the writes one after another.
    public func send(
        _ bytes: ArraySlice<UInt8>, inWritesOf length: Int, to target: Characteristic
    ) async throws(GATTError) {
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: length) {
            try await send(Array(bytes[start..<min(start + length, bytes.endIndex)]), to: target)
        }
    }

    /// The maximum number of bytes in one write without response: the MTU less opcode and handle.
    public var maximumWriteLength: Int { get async { await mtu - 3 } }
}
