import Bluetooth
package import UpdateModel

/// Feasycom's frame, service FFF0 (beacon-frames.md, Feasycom):
///
///     0  1  number of the model
///     1  2  version of the firmware, big-endian
///     3  1  bits 0 and 1 connectability, others features
///     4  6  address, in printed order
///     10 1  low seven bits: battery in percent; 65 is external power. The meaning of bit 7 is not published
package struct FeasycomFrame: FrameFormat {
    package static let kind = FrameKind("feasycom", of: .feasycom)
    package static let places: [FramePlace] = [.serviceData(0xFFF0)]

    /// Whether the beacon is connectable, and whether a connection requires a PIN.
    package enum Connectability: UInt8, Sendable {
        case none = 0
        case open = 1
        case needsPIN = 2
    }

    package let modelNumber: UInt8
    package let version: UInt16
    /// Nil for the reserved value 3.
    package let connectability: Connectability?
    /// The byte as sent: bits 0 and 1 connectability, 4 LED, 5 buzzer, 6 acceleration sensor, 7 button.
    package let features: UInt8
    /// The address in the frame, as six bytes in printed order.
    package let address: [UInt8]
    package let charge: BatteryCharge

    private static let externalPower: UInt8 = 0x65

    /// Parses the frame, with or without the battery. Throws if its length is wrong or the battery value is undefined.
    package init(parsing reader: inout FrameReader) throws(FrameError) {
        modelNumber = try reader.integer("model")
        version = try reader.integer("firmware")
        features = try reader.integer("features")
        connectability = Connectability(rawValue: features & 3)
        address = try reader.bytes("address", 6)
        guard reader.remaining > 0 else {
            charge = BatteryCharge()
            return
        }
        let battery: UInt8 = try reader.integer("battery")
        switch battery & 0x7F {
        case 0...100: charge = BatteryCharge(percentByte: battery & 0x7F)
        // With bit 7 set, whose meaning is unknown, external power is not assumed.
        case Self.externalPower: charge = BatteryCharge(isExternal: battery == Self.externalPower)
        default: throw reader.refusal("battery", at: 10, "\(battery) is not defined")
        }
        try reader.end(of: "frame")
    }

    /// The model's name; if a beacon and a module have the same number, the beacon's.
    package var model: String? {
        let number = ModelNumber(rawValue: UInt16(modelNumber))
        return number.beacon ?? number.module
    }

    /// Whether the frame from `sender` is really Feasycom's. Other makers use FFF0 too, so it has to contain the
    /// number of a beacon model, or the address of its sender.
    private func isGenuine(from sender: DeviceAddress) -> Bool {
        ModelNumber(rawValue: UInt16(modelNumber)).beacon != nil
            || sender.kind == .public && sender.bytes == address
    }

    /// Some beacons declare one byte less than they send; then the battery byte follows the last AD structure. A frame
    /// that is not Feasycom's is no error, because other makers use FFF0 too.
    package static func facts(in advert: FrameSource) -> FrameFacts? {
        let (bytes, left) = (advert.bytes, advert.leftover)
        guard (10...11).contains(bytes.count),
            let frame = try? FeasycomFrame(
                parsing: bytes.count == 10 && left.count == 1 ? bytes + left : bytes),
            frame.isGenuine(from: advert.sender)
        else { return nil }
        return frame.facts
    }

    package var facts: FrameFacts {
        FrameFacts(
            model: model, modelNumber: Int(modelNumber), id: FrameReader.text(ofAddress: address),
            version: "\(version)", charge: charge,
            flags: [
                "not-connectable": connectability == Connectability.none,
                "pin-needed": connectability == .needsPIN, "led": features & 0x10 != 0,
                "buzzer": features & 0x20 != 0, "g-sensor": features & 0x40 != 0,
                "button": features & 0x80 != 0,
            ])
    }
}

extension FeasycomVendor: AdvertisingVendor {
    package var frameFormats: [any FrameFormat.Type] { [FeasycomFrame.self] }
}

extension Maker { package static let feasycom = Maker("feasycom", "Feasycom") }

extension Family { package static let feasycom = Family("feasycom", of: .feasycom, [.version, .id]) }
