public import Bytes

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
