public import BluetoothTypes

/// The value seam: what an updater asks of a connected peripheral.
public protocol GATTClient: Sendable {
    /// The MTU that both ends agreed on, 23 until they have.
    var mtu: Int { get async }
    /// Whether the peripheral has `characteristic`.
    func offers(_ characteristic: Characteristic) async throws(GATTError) -> Bool
    /// The whole value, however long.
    func read(_ source: Characteristic) async throws(GATTError) -> [UInt8]
    /// Writes and waits for the acknowledgement.
    func write(_ value: [UInt8], to target: Characteristic) async throws(GATTError)
    /// Writes without acknowledgement; waits only for room in the send queue.
    func send(_ value: [UInt8], to target: Characteristic) async throws(GATTError)
    /// The same with each of `values`, in order.
    func send(_ values: [ArraySlice<UInt8>], to target: Characteristic) async throws(GATTError)
    /// Turns notifications (or indications) on, and collects them from before the first.
    func notifications(from source: Characteristic) async throws(GATTError) -> NotificationQueue
}

extension GATTClient {
    /// One after the other.
    public func send(_ values: [ArraySlice<UInt8>], to target: Characteristic) async throws(GATTError) {
        for value in values { try await send(Array(value), to: target) }
    }

    /// The most bytes that one write without response carries: the MTU less opcode and handle.
    public var maximumWriteLength: Int { get async { await mtu - 3 } }
}
