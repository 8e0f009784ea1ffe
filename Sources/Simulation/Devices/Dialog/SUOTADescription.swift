public import Bluetooth

/// The configuration of a simulated beacon with SUOTA.
public struct SUOTADescription: Sendable {
    /// Its address.
    public var address: DeviceAddress
    /// Its name.
    public var name = "Beacon"
    /// The behaviour of its receiver.
    public var personality: SUOTAPersonality
    /// Its board, including its images.
    public var board: SUOTABoard
    /// Manufacturer Name String; nil for none.
    public var manufacturer: String? = "Simulated Semiconductor"
    /// Model Number String; nil for none.
    public var model: String?
    /// Whether Firmware and Software Revision String report the running version.
    public var tellsVersion = true
    /// What Firmware Revision reports instead, such as the SDK's version.
    public var firmwareRevision: String?
    /// Whether it advertises the service: some products do not list it.
    public var advertisesService = true
    /// The battery level in percent, which it advertises with one byte of the running version, as AprilBrother's
    /// ASensor does; nil for none.
    public var batteryPercent: UInt8?
    /// The battery voltage in mV, which it advertises as Eddystone does; nil for none.
    public var batteryMillivolts: UInt16?
    /// What it advertises instead of service, battery and name; nil to advertise those.
    public var advertising: AdvertisingPlan?
    /// How often it advertises; nil for at once when a scanner starts, then ten times a second.
    public var advertisingInterval: Duration?
    /// The PIN that it requires over Feasycom's service before it accepts an update; nil if it does not have that
    /// service.
    public var pin: String?
    /// The signal strength at the scanner, in dBm.
    public var rssi: Int8 = -50

    /// A beacon at `address` that runs version 1.0.0.
    public init(address: DeviceAddress, _ personality: SUOTAPersonality) {
        self.address = address
        self.personality = personality
        board = SUOTABoard(personality)
        model = personality.chip
    }
}
