extension AdvertisingData {
    /// One AD structure (Core Specification Supplement, Part A, 1; numbers from Assigned Numbers, 2.3).
    ///
    /// A structure whose content does not fit its type, or whose type has no case here, is kept as `other`.
    public enum Element: Hashable, Sendable {
        /// Type 01.
        case flags(UInt8)
        /// Types 02 to 07: UUIDs of services with 16, 32 or 128 bits.
        case services([BluetoothUUID], complete: Bool)
        /// Types 14, 1F and 15: services that the device would like its peer to have.
        case solicitation([BluetoothUUID])
        /// Types 08 and 09.
        case name(String, complete: Bool)
        /// Type 0A, in dBm.
        case txPower(Int8)
        /// Type 0D: the class of device of BR/EDR, 24 bits.
        case classOfDevice(UInt32)
        /// Type 10 with eight bytes: who made the device. With sixteen it is a temporary key, see `other`.
        case deviceIdentity(DeviceIdentity)
        /// Type 12: which connection intervals the device would like; nil for an end that does not matter.
        case connectionIntervals(shortest: Duration?, longest: Duration?)
        /// Types 16, 20 and 21: a service's UUID and its data.
        case serviceData(BluetoothUUID, [UInt8])
        /// Types 17 and 18: for whom the advertisement is meant.
        case targets([DeviceAddress])
        /// Type 19 (Assigned Numbers, 2.6).
        case appearance(UInt16)
        /// Types 1A and 2F: the time from one advertising event to the next.
        case advertisingInterval(Duration)
        /// Type 1B: the sender's address, for connecting to it.
        case deviceAddress(DeviceAddress)
        /// Type 1C: which end of a link the device can be.
        case role(Role)
        /// Type 24: a code point for the scheme (Assigned Numbers, 2.7), and what comes after it.
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

    /// Which end of a link a device can be (CSS, Part A, 1.17.2).
    public enum Role: UInt8, Hashable, Sendable {
        /// Only peripheral.
        case peripheral = 0
        /// Only central.
        case central = 1
        /// Both, rather peripheral.
        case preferablyPeripheral = 2
        /// Both, rather central.
        case preferablyCentral = 3
    }
}

extension AdvertisingData.Element {
    /// Whether a later report with this structure makes `old` of an earlier one obsolete.
    func replaces(_ old: Self) -> Bool {
        switch (self, old) {
        case (.flags, .flags), (.txPower, .txPower), (.classOfDevice, .classOfDevice),
            (.deviceIdentity, .deviceIdentity), (.connectionIntervals, .connectionIntervals),
            (.appearance, .appearance), (.advertisingInterval, .advertisingInterval),
            (.deviceAddress, .deviceAddress), (.role, .role), (.supportedFeatures, .supportedFeatures),
            (.broadcastName, .broadcastName):
            true
        case (.name(_, let new), .name(_, let old)): new == old
        // A service, or a company, may send frames of several kinds in turn, which differ in their first byte.
        case (.serviceData(let new, let frame), .serviceData(let old, let oldFrame)):
            new == old && frame.first == oldFrame.first
        case (.manufacturer(let new, let frame), .manufacturer(let old, let oldFrame)):
            new == old && frame.first == oldFrame.first
        default: self == old
        }
    }
}
