public import Bluetooth
public import UpdateModel

/// A change of a device that is about to be made.
public enum DeviceChange: Equatable, Sendable {
    /// Its application is told to start its bootloader.
    case enterBootloader(of: DeviceAddress)
    /// It is sent firmware, from the start or from where it stopped: the given part, if there are several.
    case update(at: DeviceAddress, UpdatePart?)
    /// It has its firmware; its settings are restored.
    case configure(at: DeviceAddress)
    /// It has everything and is told to install it.
    case activate(at: DeviceAddress, UpdatePart?)
}
