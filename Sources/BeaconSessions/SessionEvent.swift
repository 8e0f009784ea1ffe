public import BluetoothTypes
public import Sessions

/// What observers of a session hear.
public enum SessionEvent: Equatable, Sendable {
    /// It is open: both sides know with whom they speak.
    case opened(DeviceAddress)
    /// It is over; with the reason where something ended it.
    case closed(DeviceAddress, SessionFailure?)
}
