import GATT
import Glibc
import Radio
import UpdateCore

extension UpdateFailure {
    /// The failure that an error from below means for an update in a phase.
    init(of error: any Error, during phase: String) {
        switch error {
        case let failure as UpdateFailure: self = failure
        case is CancellationError, GATTError.cancelled, AdapterError.cancelled:
            self.init(.interrupted, during: phase, message: "interrupted before the end")
        case GATTError.notEncrypted:
            self.init(.encryptionFailed, during: "encrypting the link", message: "\(error)")
        case let error as GATTError:
            self.init(.attributeRefused, during: "talking to the device", message: "\(error)")
        case AdapterError.noAnswer(let address):
            self.init(.linkLost, during: "connecting", message: "\(address) does not answer")
        case AdapterError.inUse:
            self.init(.beaconInUse, during: "connecting", message: "\(error)")
        case AdapterError.held:
            self.init(.beaconHeld, during: "connecting", message: "\(error)")
        case AdapterError.connectingElsewhere:
            self.init(.adapterBusy, during: "connecting", message: "\(error)")
        case AdapterError.notPermitted(let capability, let what):
            self.init(
                .permissionMissing, during: "using the adapter",
                message: "\(capability) is missing to \(what)")
        case AdapterError.system(let call, let errno) where errno == EMFILE || errno == ENFILE:
            self.init(
                FailureCode(rawValue: "descriptors-exhausted"), during: "using the adapter",
                message: "\(call): \(String(cString: strerror(errno)))")
        case is AdapterError:
            self.init(.noAdapter, during: "using the adapter", message: "\(error)")
        default: self.init(.internalError, during: phase, message: "\(error)")
        }
    }
}
