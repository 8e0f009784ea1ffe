import Bluetooth
import UpdateModel

/// The last known address of a unit, and the program it ran there.
struct DeviceSighting: Equatable, Sendable {
    var program = DeviceState.Program.unknown
    /// Nil before it was heard.
    var address: DeviceAddress?
}
