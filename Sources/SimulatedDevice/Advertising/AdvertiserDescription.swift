public import BluetoothTypes

/// A beacon that only tells who it is: what it sends, and what it shows to who connects.
public struct AdvertiserDescription: Sendable {
    /// Its address.
    public var address: DeviceAddress
    /// How loud it is heard, in dBm.
    public var rssi: Int8 = -50
    /// What it sends.
    public var plan: AdvertisingPlan
    /// What Device Information says, by the numbers of the characteristics; none for no such service.
    public var information: [UInt16: [UInt8]]
    /// How it treats who has no password; nil where it needs none.
    public var lockout: Lockout?

    /// The usual beacon of `advertiser`'s maker.
    public init(address: DeviceAddress, _ advertiser: any Advertiser) {
        self.address = address
        plan = AdvertisingPlan(advertiser)
        information = advertiser.information
        lockout = advertiser.lockout
    }

    /// What becomes of a central that never writes a password.
    public struct Lockout: Hashable, Sendable {
        /// How long its link lasts.
        public var timeout: Duration
        /// For how long nobody is let in after that.
        public var refusal: Duration

        /// 30 s, and then 20 min.
        public init(timeout: Duration = .seconds(30), refusal: Duration = .seconds(1200)) {
            self.timeout = timeout
            self.refusal = refusal
        }
    }
}
