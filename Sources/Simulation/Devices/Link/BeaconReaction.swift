public import Bluetooth

/// A device's timed action on its link.
public enum BeaconReaction: Hashable, Sendable {
    /// Sends this packet as a response.
    case send([UInt8], at: Duration)
    /// Sends a value of this characteristic if the client has subscribed to it: as a notification, or as an indication
    /// if `mayIndicate` allows it.
    case notify([UInt8], from: BluetoothUUID, mayIndicate: Bool, at: Duration)
    /// Ends the link.
    case disconnect(at: Duration)
    /// Resets the device, whether or not the link is still up.
    case reset(at: Duration)
}
