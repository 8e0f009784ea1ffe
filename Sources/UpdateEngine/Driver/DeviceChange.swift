public import BluetoothTypes
public import UpdateCore

/// What is about to be done to a device that changes it.
public enum DeviceChange: Equatable, Sendable {
    /// Its application will be told to start its bootloader.
    case enterBootloader(of: DeviceAddress)
    /// It will be sent firmware, from the start or from where it has got to: the given part, where there are several.
    case update(at: DeviceAddress, UpdatePart?)
    /// It has its firmware, and will be brought to its settings.
    case configure(at: DeviceAddress)
    /// It has everything, and will be told to install it.
    case activate(at: DeviceAddress, UpdatePart?)
}
