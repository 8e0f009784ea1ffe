public import Bluetooth

/// A beacon that only advertises its identity: what it sends, and what connected clients can read.
public struct AdvertiserDescription: Sendable {
    /// Its address.
    public var address: DeviceAddress
    /// The signal strength at the scanner, in dBm.
    public var rssi: Int8 = -50
    /// The frames that it sends.
    public var plan: AdvertisingPlan
    /// The values of Device Information, by characteristic number; empty for no such service.
    public var information: [UInt16: [UInt8]]
    /// What it does to a central without the password; nil if it needs none.
    public var lockout: Lockout?

    /// The default beacon of the vendor of `advertiser`.
    public init(address: DeviceAddress, _ advertiser: any Advertiser) {
        self.address = address
        plan = AdvertisingPlan(advertiser)
        information = advertiser.information
        lockout = advertiser.lockout
    }

    /// What happens to a central that never writes a password.
    public struct Lockout: Hashable, Sendable {
        /// How long its link lasts.
        public var timeout: Duration
        /// How long all connections are refused after that.
        public var refusal: Duration

        /// 30 s, and then 20 min.
        public init(timeout: Duration = .seconds(30), refusal: Duration = .seconds(1200)) {
            self.timeout = timeout
            self.refusal = refusal
        }
    }
}
