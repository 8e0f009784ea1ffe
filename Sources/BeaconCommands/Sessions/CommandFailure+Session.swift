import Bluetooth
import UpdateEngine
import UpdateModel

extension CommandFailure {
    init(_ failure: SessionFailure) {
        self.init(failure.code.rawValue, during: failure.during, message: failure.message)
    }
}
