import BluetoothTypes
import Synchronization
import UpdateCore

/// Where a unit was seen last, and running what.
final class UnitTrace: Sendable {
    /// A look at the unit.
    struct Look: Equatable, Sendable {
        var program = DeviceState.Program.unknown
        /// Where it was seen; nil before it was.
        var address: DeviceAddress?
    }

    private let look = Mutex(Look())

    /// The last look.
    var last: Look { look.withLock { $0 } }

    /// It answers at `address`, or is heard there, and runs `program`.
    func saw(_ program: DeviceState.Program, at address: DeviceAddress) {
        look.withLock { $0 = Look(program: program, address: address) }
    }

    /// It restarts, or is not heard any more.
    func left() { look.withLock { $0.program = .unknown } }
}
