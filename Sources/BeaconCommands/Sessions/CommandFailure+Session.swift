import GATT
import Radio
import Sessions
import UpdateCore
import UpdateEngine

extension CommandFailure {
    init(_ failure: SessionFailure) {
        self.init(failure.code.rawValue, during: failure.during, message: failure.message)
    }
}
