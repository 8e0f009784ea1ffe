import Bluetooth
import Glibc
public import UpdateModel

extension UpdateFailure {
    /// The failure for an error of a lower layer during a phase.
    public init(of error: any Error, during phase: String) {
        switch error {
        case let failure as UpdateFailure: self = failure
        case is CancellationError, GATTError.cancelled, AdapterError.cancelled:
            self.init(.system.interrupted, during: phase, message: "interrupted before the end")
        case let error as GATTError: self.init(of: error, during: phase)
        case AdapterError.noAnswer(let address):
            self.init(.device.linkLost, during: "connecting", message: "\(address) does not answer")
        case AdapterError.inUse:
            self.init(.device.beaconInUse, during: "connecting", message: "\(error)")
        case AdapterError.held:
            self.init(.device.beaconHeld, during: "connecting", message: "\(error)")
        case AdapterError.connectingElsewhere:
            self.init(.device.adapterBusy, during: "connecting", message: "\(error)")
        case AdapterError.tooManyLinks:
            self.init(.device.tooManyLinks, during: "connecting", message: "\(error)", mayReconnect: true)
        case AdapterError.attributesTaken:
            self.init(.system.attributesTaken, during: "serving a beacon", message: "\(error)")
        case AdapterError.notPermitted(let capability, let what):
            self.init(
                .system.permissionMissing, during: "using the adapter",
                message: "\(capability) is required to \(what)")
        case AdapterError.notEncrypted:
            self.init(.device.encryptionFailed, during: "encrypting the link", message: "\(error)")
        case AdapterError.noBluetooth:
            self.init(
                .system.noAdapter, during: "using the adapter", message: "\(error)",
                remedy:
                    "load the kernel module with `sudo modprobe bluetooth`, or leave the container; "
                    + "\(.adapter, "sim") needs none"
            )
        case AdapterError.system(let call, let errno) where errno == EMFILE || errno == ENFILE:
            self.init(
                .system.descriptorsExhausted, during: "using the adapter",
                message: "\(call): \(String(cString: strerror(errno)))")
        case is AdapterError:
            self.init(.system.noAdapter, during: "using the adapter", message: "\(error)")
        default: self.init(.system.internalError, during: phase, message: "\(error)")
        }
    }

    private init(of error: GATTError, during phase: String) {
        let step = "talking to the device"
        switch error {
        case .cancelled: self.init(.system.interrupted, during: phase, message: "interrupted before the end")
        case .disconnected, .bearer: self.init(.device.linkLost, during: step, message: "\(error)")
        case .transactionTimeout: self.init(.device.noAnswer, during: step, message: "\(error)")
        case .malformed, .unexpectedAnswer:
            self.init(.device.unexpectedAnswer, during: step, message: "\(error)")
        case .notEncrypted:
            self.init(.device.encryptionFailed, during: "encrypting the link", message: "\(error)")
        case .refused(.insufficientAuthorization, _, _):
            self.init(
                .device.updatesNotAllowed, during: step,
                message:
                    "\(error): updates are switched off in the beacon's settings, or it requires pairing first"
            )
        case .refused, .missing, .unsuitable:
            self.init(.device.attributeRefused, during: step, message: "\(error)")
        }
    }
}
