public import Bluetooth
public import UpdateModel

/// An event for observers of a session.
public enum SessionEvent: Equatable, Sendable {
    /// It is open: both sides have identified each other.
    case opened(DeviceAddress)
    /// It has ended; with the reason if it did not end normally.
    case closed(DeviceAddress, SessionFailure?)
}
