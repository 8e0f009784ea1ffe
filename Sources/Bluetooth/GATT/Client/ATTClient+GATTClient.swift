import Bytes

extension ATTClient: GATTClient {
    /// What peers say instead of an empty blob; any other error would cut a value short.
    /// The longest value there is (Vol 3, Part F, 3.2.9); bytes beyond that are ignored.
    private static let longestValue = 512
    private static let endsOfValue: Set<ATTStatus> = [
        .attributeNotLong, .invalidOffset, .requestNotSupported,
    ]

    /// Whether the peripheral has `characteristic`.
    public func offers(_ characteristic: Characteristic) async throws(GATTError) -> Bool {
        try await discoverCharacteristics(of: characteristic.service)
            .contains { $0.characteristic == characteristic }
    }

    /// The whole value, in as many packets as needed (Vol 3, Part G, 4.8.1 and 4.8.3).
    public func read(_ source: Characteristic) async throws(GATTError) -> [UInt8] {
        try await read(at: try await declaration(of: source).valueHandle, of: source.uuid)
    }

    /// The whole value at `handle`, which belongs to `uuid`: for descriptors, and for characteristics that
    /// occur several times in a service.
    public func read(at handle: UInt16, of uuid: BluetoothUUID) async throws(GATTError) -> [UInt8] {
        var value = try await perform(ReadAttribute(handle: handle), "reading \(uuid)")
        while value.count.isMultiple(of: mtu - 1), !value.isEmpty, value.count < Self.longestValue {
            let blob = ReadBlob(handle: handle, offset: UInt16(value.count))
            do throws(GATTError) {
                let more = try await perform(blob, "reading \(uuid)")
                if more.isEmpty { break }
                value += more
            } catch {
                // A value that exactly fills the packet: some peers refuse the next read.
                guard case .refused(let status, _, _) = error, Self.endsOfValue.contains(status) else {
                    throw error
                }
                break
            }
        }
        return Array(value.prefix(Self.longestValue))
    }

    /// Writes and waits for the acknowledgement.
    public func write(_ value: [UInt8], to target: Characteristic) async throws(GATTError) {
        let handle = try await declaration(of: target).valueHandle
        try await perform(WriteAttribute(handle: handle, value: value), "writing \(target.uuid)")
    }

    /// Writes without acknowledgement; waits only for space in the send queue.
    public func send(_ value: [UInt8], to target: Characteristic) async throws(GATTError) {
        let header = try await commandHeader(target)
        do throws(BearerError) { try await bearer.send(header + value) } catch { throw GATTError(error) }
    }

    /// The same with all of `bytes`: an update sends some thousand packets, so work that is done once for
    /// several of them matters.
    public func send(
        _ bytes: ArraySlice<UInt8>, inWritesOf length: Int, to target: Characteristic
    ) async throws(GATTError) {
        let header = try await commandHeader(target)
        do throws(BearerError) { try await bearer.send(bytes, inPacketsOf: length, after: header) } catch {
            throw GATTError(error)
        }
    }

    /// The header of a Write Command to `target` (Vol 3, Part F, 3.4.5.3).
    private func commandHeader(_ target: Characteristic) async throws(GATTError) -> [UInt8] {
        let declaration = try await declaration(of: target)
        guard declaration.properties.contains(.writeWithoutResponse) else {
            throw .unsuitable(target, needs: "write without response")
        }
        let handle = declaration.valueHandle
        return [ATTOpcode.writeCommand.rawValue, UInt8(handle & 0xFF), UInt8(handle >> 8)]
    }

    /// Turns notifications on, or indications if there are no notifications.
    public func notifications(from source: Characteristic) async throws(GATTError) -> NotificationQueue {
        let declaration = try await declaration(of: source)
        let bits: [UInt8]
        if declaration.properties.contains(.notify) {
            bits = [1, 0]
        } else if declaration.properties.contains(.indicate) {
            bits = [2, 0]
        } else {
            throw .unsuitable(source, needs: "notifications")
        }
        guard let configuration = try await configurationHandle(of: declaration) else {
            throw .unsuitable(source, needs: "a client configuration descriptor")
        }
        let queue = queues[declaration.valueHandle] ?? NotificationQueue()
        queues[declaration.valueHandle] = queue
        if isOver { queue.end() }
        try await perform(
            WriteAttribute(handle: configuration, value: bits), "enabling notifications of \(source.uuid)")
        return queue
    }
}
