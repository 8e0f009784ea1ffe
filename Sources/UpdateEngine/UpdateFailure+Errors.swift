import Bluetooth
import Glibc
public import UpdateModel

extension UpdateFailure {
    /// The failure `code` while the application is awaited.
    init(awaiting code: FailureCode, _ message: String, remedy: Advice? = nil) {
        self.init(code, during: "waiting for the application", message: message, remedy: remedy)
    }

    /// The message of an interruption about which nothing else is known.
    package static var interruption: String { "interrupted before the end" }

    /// The failure for an error of a lower layer during a phase.
    public init(of error: any Error, during phase: String) {
        switch error {
        case let failure as UpdateFailure: self = failure
        case is CancellationError, GATTError.cancelled, AdapterError.cancelled:
            self.init(.system.interrupted, during: phase, message: Self.interruption)
        case let error as GATTError: self.init(of: error)
        case let error as AdapterError: self.init(of: error)
        default: self.init(.system.internalError, during: phase, message: "\(error)")
        }
    }

    private init(of error: AdapterError) {
        let (code, step): (FailureCode, String) =
            switch error {
            case .noAnswer: (.device.linkLost, "connecting")
            case .inUse: (.device.beaconInUse, "connecting")
            case .held: (.device.beaconHeld, "connecting")
            case .connectingElsewhere: (.device.adapterBusy, "connecting")
            case .tooManyLinks: (.device.tooManyLinks, "connecting")
            case .attributesTaken: (.system.attributesTaken, "serving a beacon")
            case .notPermitted: (.system.permissionMissing, "using the adapter")
            case .notEncrypted: (.device.encryptionFailed, "encrypting the link")
            case .system(_, EMFILE), .system(_, ENFILE): (.system.descriptorsExhausted, "using the adapter")
            case .noBluetooth, .unavailable, .system: (.system.noAdapter, "using the adapter")
            case .cancelled: (.system.interrupted, "using the adapter")
            }
        var message = "\(error)"
        if code == .system.descriptorsExhausted, case .system(let call, let errno) = error {
            message = SocketError(call: call, errno: errno).words
        }
        let remedy: Advice =
            "load the kernel module with `sudo modprobe bluetooth`, or leave the container; "
            + "\(.adapter, "sim") needs none"
        self.init(
            code, during: step, message: message, remedy: error == .noBluetooth ? remedy : nil,
            mayReconnect: code == .device.tooManyLinks)
    }

    private init(of error: GATTError) {
        var message = "\(error)"
        if case .refused(.insufficientAuthorization, _, _) = error {
            message += ": updates are switched off in the beacon's settings, or it requires pairing first"
        }
        let (code, step): (FailureCode, String) =
            switch error {
            case .disconnected, .system: (.device.linkLost, "talking to the device")
            case .cancelled: (.system.interrupted, "talking to the device")
            case .transactionTimeout: (.device.noAnswer, "talking to the device")
            case .malformed, .unexpectedAnswer: (.device.unexpectedAnswer, "talking to the device")
            case .notEncrypted: (.device.encryptionFailed, "encrypting the link")
            case .refused(.insufficientAuthorization, _, _):
                (.device.updatesNotAllowed, "talking to the device")
            case .refused, .missing, .unsuitable: (.device.attributeRefused, "talking to the device")
            }
        self.init(code, during: step, message: message)
    }
}
