public import BluetoothTypes

/// What a device does to its link, and when.
public enum BeaconReaction: Hashable, Sendable {
    /// Sends this packet, as an answer goes.
    case send([UInt8], at: Duration)
    /// Sends a value of this characteristic, where it is subscribed to: as a notification, or, where the characteristic
    /// can that too, as an indication.
    case notify([UInt8], from: BluetoothUUID, mayIndicate: Bool, at: Duration)
    /// Ends the link.
    case disconnect(at: Duration)
    /// Resets the device, whether or not the link is still there.
    case reset(at: Duration)
}
