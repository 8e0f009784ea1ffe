public import BeaconIdentity
public import BluetoothTypes
import Radio

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

    /// The beacon that was found; nil where it is not clear which it is.
    public var beacon: BeaconSighting? {
        switch self {
        case .unit(let beacon), .bootloader(let beacon, _), .mislabelled(let beacon, _): beacon
        case .ambiguous, .taken: nil
        }
    }

    /// Where the unit's application is, or would be; nil where it is not clear which unit it is.
    public var application: DeviceAddress? {
        switch self {
        case .unit(let beacon), .mislabelled(let beacon, _): beacon.address
        case .bootloader(_, let absent): absent
        case .ambiguous, .taken: nil
        }
    }
}
