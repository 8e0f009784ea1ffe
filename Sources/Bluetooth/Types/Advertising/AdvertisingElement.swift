extension AdvertisingData {
    /// One AD structure (Core Specification Supplement, Part A, 1; numbers from Assigned Numbers, 2.3).
    ///
    /// A structure whose content does not fit its type, or whose type has no case here, is kept as `other`.
    public enum Element: Hashable, Sendable {
        /// Type 01.
        case flags(UInt8)
        /// Types 02 to 07: UUIDs of services with 16, 32 or 128 bits.
        case services([BluetoothUUID], complete: Bool)
        /// Types 14, 1F and 15: services that the device wants its peer to have.
        case solicitation([BluetoothUUID])
        /// Types 08 and 09.
        case name(String, complete: Bool)
        /// Type 0A, in dBm.
        case txPower(Int8)
        /// Type 0D: the class of device of BR/EDR, 24 bits.
        case classOfDevice(UInt32)
        /// Type 10 with eight bytes: the manufacturer. With sixteen it is a temporary key, see `other`.
        case deviceIdentity(DeviceIdentity)
        /// Type 12: the connection intervals that the device prefers; nil for an end without preference.
        case connectionIntervals(shortest: Duration?, longest: Duration?)
        /// Types 16, 20 and 21: a service's UUID and its data.
        case serviceData(BluetoothUUID, [UInt8])
        /// Types 17 and 18: the addressees of the advertisement.
        case targets([DeviceAddress])
        /// Type 19 (Assigned Numbers, 2.6).
        case appearance(UInt16)
        /// Types 1A and 2F: the time from one advertising event to the next.
        case advertisingInterval(Duration)
        /// Type 1B: the sender's address, for connecting to it.
        case deviceAddress(DeviceAddress)
        /// Type 1C: the roles that the device supports.
        case role(Role)
        /// Type 24: a code point for the scheme (Assigned Numbers, 2.7), and the rest of the URI.
        case uri(scheme: UInt32, String)
        /// Type 27: the feature bits of the link layer (Vol 6, Part B, 4.6).
        case supportedFeatures(UInt64)
        /// Type 30: the name of an audio broadcast.
        case broadcastName(String)
        /// Type FF: a company's number and its data.
        case manufacturer(UInt16, [UInt8])
        /// Any other type.
        case other(UInt8, [UInt8])
    }

    /// The roles that a device supports (CSS, Part A, 1.17.2).
    public enum Role: UInt8, Hashable, Sendable {
        /// Only peripheral.
        case peripheral = 0
        /// Only central.
        case central = 1
        /// Both, preferably peripheral.
        case preferablyPeripheral = 2
        /// Both, preferably central.
        case preferablyCentral = 3
    }
}

extension AdvertisingData.Element {
    /// Whether this structure of a later report replaces `old` of an earlier one.
    func replaces(_ old: Self) -> Bool {
        switch (self, old) {
        case (.flags, .flags), (.txPower, .txPower), (.classOfDevice, .classOfDevice),
            (.deviceIdentity, .deviceIdentity), (.connectionIntervals, .connectionIntervals),
            (.appearance, .appearance), (.advertisingInterval, .advertisingInterval),
            (.deviceAddress, .deviceAddress), (.role, .role), (.supportedFeatures, .supportedFeatures),
            (.broadcastName, .broadcastName):
            true
        case (.name(_, let new), .name(_, let old)): new == old
        // A service, or a company, may rotate frames of several kinds, which differ in their first byte.
        case (.serviceData(let new, let frame), .serviceData(let old, let oldFrame)):
            new == old && frame.first == oldFrame.first
        case (.manufacturer(let new, let frame), .manufacturer(let old, let oldFrame)):
            new == old && frame.first == oldFrame.first
        default: self == old
        }
    }
}
