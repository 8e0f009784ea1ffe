import Glibc

/// Why a connection was not established.
enum ConnectFailure: Error, Equatable, Sendable {
    case timedOut
    case cancelled
    /// A channel to this device is open in some program, or the controller is busy connecting.
    case busy
    /// The device did not answer, disconnected at once, or refuses such a channel.
    case refused
    /// The controller, or the kernel, has as many links as it supports: Connection Limit Exceeded (0x09), which
    /// the kernel maps to `EMLINK` (`bt_to_errno`).
    case tooManyLinks
    /// There is no adapter, or it is off.
    case adapterDown
    case system(String, Int32)

    init(_ code: Int32, in call: String = "connect") {
        self =
            switch code {
            case EBUSY, EALREADY: .busy
            case EMLINK: .tooManyLinks
            case ECONNREFUSED, ETIMEDOUT, ECONNRESET, EHOSTDOWN, ECONNABORTED: .refused
            case EHOSTUNREACH, ENODEV, ENETDOWN, EADDRNOTAVAIL: .adapterDown
            default: .system(call, code)
            }
    }

    /// Whether another attempt makes sense. An adapter that is down may be plugged in again.
    var deservesRetry: Bool { self == .busy || self == .refused || self == .adapterDown }
}
