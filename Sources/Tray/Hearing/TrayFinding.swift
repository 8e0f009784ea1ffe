public import BeaconIdentity
public import BluetoothTypes

/// What was found where a unit was looked for.
public enum TrayFinding: Equatable, Sendable {
    /// The unit, as it was heard.
    case unit(BeaconSighting)
    /// Its bootloader, by the address rule; the application at the second address is silent.
    case bootloader(BeaconSighting, absent: DeviceAddress)
    /// Several beacons are meant by its selector.
    case ambiguous([DeviceAddress])
    /// The beacon is that of another slot as well.
    case taken(DeviceAddress, by: String)
    /// It tells another id than its label.
    case mislabelled(BeaconSighting, says: String)
}
