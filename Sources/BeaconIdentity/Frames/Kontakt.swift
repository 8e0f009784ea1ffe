extension AdvertisedState {
    /// The scan response of Kontakt's first beacons, under D00D (beacon-frames.md, Kontakt); one of another length
    /// says nothing:
    ///
    ///     0  4  unique id
    ///     4  1  firmware, major
    ///     5  1  firmware, minor
    ///     6  1  battery in percent
    static func kontaktClassic(_ bytes: [UInt8]) -> AdvertisedState? {
        guard bytes.count == 7 else { return nil }
        return AdvertisedState(BatteryCharge(percentByte: bytes[6]), version: "\(bytes[4]).\(bytes[5])")
    }

    /// What their later ones send under FE6A, by the first byte.
    static func kontaktSecure(_ bytes: [UInt8]) -> AdvertisedState? {
        switch bytes.first {
        case 0x01 where bytes.count >= 22, 0x02 where bytes.count >= 7: kontaktProfile(bytes)
        case 0x03: kontaktTelemetry(bytes.dropFirst())
        default: nil
        }
    }

    /// The secure profile, shuffled (01) or plain (02):
    ///
    ///     1  1  number of the model
    ///     2  1  firmware, major
    ///     3  1  firmware, minor
    ///     4  1  battery in percent
    ///     5  1  transmission power
    private static func kontaktProfile(_ bytes: [UInt8]) -> AdvertisedState {
        AdvertisedState(BatteryCharge(percentByte: bytes[4]), version: "\(bytes[2]).\(bytes[3])")
    }

    /// Records of length (which counts the kind), kind and value. One that runs past the end makes the frame invalid.
    private static func kontaktTelemetry(_ records: ArraySlice<UInt8>) -> AdvertisedState? {
        var rest = records
        var charge: BatteryCharge?
        while let length = rest.first.map(Int.init) {
            guard length > 0, rest.count > length else { return nil }
            let record = Array(rest.dropFirst().prefix(length))
            rest = rest.dropFirst(1 + length)
            switch (record[0], record.count) {
            case (0x0C, 2): charge = BatteryCharge(percentByte: record[1])
            // Health: a time of four bytes, then the percentage.
            case (0x01, 6): charge = BatteryCharge(percentByte: record[5])
            default: break
            }
        }
        return charge.map { AdvertisedState($0) }
    }
}
