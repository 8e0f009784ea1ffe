/// What is done to a device that changes it.
public enum DeviceStep: String, CaseIterable, Codable, Sendable {
    /// Its application is told to start its bootloader.
    case enterBootloader = "enter-bootloader"
    /// It is sent firmware, from the start or from where it has got to.
    case update
    /// It is told to install what it has.
    case activate
    /// It is brought to its settings.
    case configure
}
