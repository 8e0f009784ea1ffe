import Bluetooth
package import UpdateModel

/// The frame of a Marble beacon (README.md, On the air).
package struct MarbleAdvert: FrameFormat {
    package static let kind = FrameKind("marble", of: .marble)
    package static let places: [FramePlace] = [.manufacturer(0xFFFF, 0x4D, 0x42)]

    /// Three numbers, as the application reports them.
    package let version: String
    package let charge: BatteryCharge

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("frame type", 0x4D, 0x42)
        let numbers = try reader.bytes("version", 3)
        version = numbers.map(String.init).joined(separator: ".")
        charge = BatteryCharge(percentByte: try reader.integer("battery"))
        try reader.end(of: "frame")
    }

    package var facts: FrameFacts { FrameFacts(version: version, charge: charge) }
}

extension MarbleVendor: AdvertisingVendor {
    package var frameFormats: [any FrameFormat.Type] { [MarbleAdvert.self] }
}

extension Maker {
    package static let marble = Maker("marble", "Marble")
}

extension Family {
    package static let marble = Family("marble", of: .marble, [.version, .battery])
}
