public import Bluetooth
public import Identity

/// The result of a search for a unit.
public enum TrayFinding: Equatable, Sendable {
    /// The unit, as it was heard.
    case unit(BeaconSighting)
    /// Its bootloader, by the address rule; the application at the second address is silent.
    case bootloader(BeaconSighting, absent: DeviceAddress)
    /// Its selector matches several beacons.
    case ambiguous([DeviceAddress])
    /// The beacon also matches another slot.
    case taken(DeviceAddress, by: String)
    /// It advertises an id that differs from its label's.
    case mislabelled(BeaconSighting, says: String)

    /// The beacon found; nil if the result is not unique.
    public var beacon: BeaconSighting? {
        switch self {
        case .unit(let beacon), .bootloader(let beacon, _), .mislabelled(let beacon, _): beacon
        case .ambiguous, .taken: nil
        }
    }

    /// The address of the unit's application, whether or not it runs; nil if the result is not unique.
    public var application: DeviceAddress? {
        switch self {
        case .unit(let beacon), .mislabelled(let beacon, _): beacon.address
        case .bootloader(_, let absent): absent
        case .ambiguous, .taken: nil
        }
    }
}
