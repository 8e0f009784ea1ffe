import BluetoothTypes
import UpdateCore

/// Where a unit was seen last, and running what.
struct DeviceSighting: Equatable, Sendable {
    var program = DeviceState.Program.unknown
    /// Nil before it was seen.
    var address: DeviceAddress?
}
