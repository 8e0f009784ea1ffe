/// A step that changes a device.
public enum DeviceStep: String, CaseIterable, Codable, Sendable {
    /// Its application is told to start its bootloader.
    case enterBootloader = "enter-bootloader"
    /// It is sent firmware, from the start or from where the transfer stopped.
    case update
    /// It is told to install what it has received.
    case activate
    /// Its settings are written.
    case configure
}
