public import Bytes

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

/// Why a value could not be read, written or subscribed to.
public enum GATTError: Error, Equatable, Sendable, CustomStringConvertible {
    case disconnected, cancelled
    /// The peer did not answer a request within 30 s (Vol 3, Part F, 3.3.3); the bearer is closed.
    case transactionTimeout(during: String)
    case refused(ATTStatus, handle: UInt16, during: String)
    /// The peer's answer cannot be parsed.
    case malformed(ByteError, during: String)
    /// The answer's opcode belongs to another request; the bearer is closed.
    case unexpectedAnswer(opcode: UInt8, during: String)
    /// The peer requires an encrypted link, which could not be established.
    case notEncrypted(reason: String, during: String)
    /// The peer has no such service or characteristic.
    case missing(Characteristic)
    case unsuitable(Characteristic, needs: String)
    /// A system call on the link's socket failed.
    case system(call: String, errno: Int32)

    public var description: String {
        switch self {
        case .disconnected: "the link ended"
        case .cancelled: "cancelled"
        case .transactionTimeout(let step): "no answer for 30 s while \(step)"
        case .refused(let status, let handle, let step):
            "\(status) (ATT error \(HexText.number(status.rawValue)), handle \(handle)) while \(step)"
        case .malformed(let error, let step): "unreadable answer while \(step): \(error)"
        case .unexpectedAnswer(let opcode, let step):
            "answer \(HexText.number(opcode)) to another request while \(step)"
        case .notEncrypted(let reason, let step):
            "\(reason), but the beacon requires encryption while \(step)"
        case .missing(let characteristic): "the beacon has no characteristic \(characteristic)"
        case .unsuitable(let characteristic, let need): "characteristic \(characteristic) lacks \(need)"
        case .system(let call, let errno): "\(call) failed with error \(errno)"
        }
    }
}

public struct EncryptionError: Error, Equatable, Sendable {
    public let reason: String
    public init(reason: String) { self.reason = reason }
}
