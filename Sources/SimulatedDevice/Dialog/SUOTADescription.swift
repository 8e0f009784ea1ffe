public import BluetoothTypes

/// A beacon with SUOTA to be simulated: what it is and what is in it at first.
public struct SUOTADescription: Sendable {
    /// Its address.
    public var address: DeviceAddress
    /// Its name.
    public var name = "Beacon"
    /// How its receiver behaves.
    public var personality: SUOTAPersonality
    /// What it is made of, its images among it.
    public var board: SUOTABoard
    /// Manufacturer Name String; nil for none.
    public var manufacturer: String? = "Simulated Semiconductor"
    /// Model Number String; nil for none.
    public var model: String?
    /// Whether Firmware and Software Revision String say which version runs.
    public var tellsVersion = true
    /// What Firmware Revision says instead, such as the SDK's version, whatever runs.
    public var firmwareRevision: String?
    /// Whether the service is in the list that it advertises: some products host it silently.
    public var advertisesService = true
    /// What it says of its battery, in percent, and in one byte of the version that runs, as AprilBrother's ASensor
    /// does; nil for nothing.
    public var batteryPercent: UInt8?
    /// What it says of its battery in mV, as Eddystone has it; nil for nothing.
    public var batteryMillivolts: UInt16?
    /// What it advertises in place of service, battery and name; nil for those.
    public var advertising: AdvertisingPlan?
    /// How often it advertises; nil for at once when somebody begins to listen, and ten times a second from then on.
    public var advertisingInterval: Duration?
    /// The PIN that it wants over Feasycom's service before it takes an update; nil where it does not have that.
    public var pin: String?
    /// How loud it is heard, in dBm.
    public var rssi: Int8 = -50

    /// A beacon at `address` that runs version 1.0.0.
    public init(address: DeviceAddress, _ personality: SUOTAPersonality) {
        self.address = address
        self.personality = personality
        board = SUOTABoard(personality)
        model = personality.chip
    }
}
