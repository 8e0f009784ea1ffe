package import UpdateModel

/// Eddystone UID (beacon-frames.md, Eddystone), service FEAA:
///
///     0  1  00
///     1  1  power at 0 m in dBm, signed
///     2  10 namespace
///     12 6  instance
///     18 2  reserved; some beacons omit it
package struct EddystoneUID: FrameFormat {
    package static let kind = FrameKind("eddystone-uid", of: .eddystone)
    package static let places: [FramePlace] = [.serviceData(0xFEAA, 0x00)]

    package let facts: FrameFacts

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("frame type", 0x00)
        let power = try reader.eddystonePower()
        let namespace = try reader.bytes("namespace", 10)
        let instance = try reader.bytes("instance", 6)
        facts = FrameFacts(.eddystone(namespace: namespace, instance: instance), power: power)
    }
}

/// Eddystone URL (beacon-frames.md, Eddystone), service FEAA:
///
///     0  1  10
///     1  1  power at 0 m in dBm, signed
///     2  1  scheme
///     3  n  the rest of the address, at most 17 bytes: 00 to 0D encode endings, 21 to 7E are ASCII
package struct EddystoneURL: FrameFormat {
    package static let kind = FrameKind("eddystone-url", of: .eddystone)
    package static let places: [FramePlace] = [.serviceData(0xFEAA, 0x10)]

    package let facts: FrameFacts

    private static let schemes = ["http://www.", "https://www.", "http://", "https://"]
    private static let endings = ["com", "org", "edu", "net", "info", "biz", "gov"]
    private static let longest = 17

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("frame type", 0x10)
        let power = try reader.eddystonePower()
        let scheme = Int(try reader.integer("scheme", as: UInt8.self))
        guard Self.schemes.indices.contains(scheme) else {
            throw reader.refusal("scheme", at: 2, "\(scheme) is reserved")
        }
        guard reader.remaining <= Self.longest else {
            throw reader.refusal("URL", at: 3, "\(reader.remaining) bytes, at most \(Self.longest) allowed")
        }
        var text = Self.schemes[scheme]
        for (index, code) in try reader.bytes("URL", reader.remaining).enumerated() {
            guard let part = Self.part(code) else {
                throw reader.refusal("URL", at: 3 + index, "\(code) is reserved")
            }
            text += part
        }
        facts = FrameFacts(url: text, measuredPower: power)
    }

    private static func part(_ code: UInt8) -> String? {
        switch code {
        case 0..<7: "." + endings[Int(code)] + "/"
        case 7..<14: "." + endings[Int(code) - 7]
        case 0x21...0x7E: String(UnicodeScalar(code))
        default: nil
        }
    }
}

/// Eddystone EID (beacon-frames.md, Eddystone), service FEAA. The id changes, so it identifies no beacon:
///
///     0  1  30
///     1  1  power at 0 m in dBm, signed
///     2  8  ephemeral id
package struct EddystoneEID: FrameFormat {
    package static let kind = FrameKind("eddystone-eid", of: .eddystone)
    package static let places: [FramePlace] = [.serviceData(0xFEAA, 0x30)]

    package let facts: FrameFacts

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("frame type", 0x30)
        facts = FrameFacts(measuredPower: try reader.eddystonePower())
        _ = try reader.bytes("ephemeral id", 8)
    }
}

extension FrameReader {
    /// The power at 1 m: 41 dB less than the power at 0 m in the frame (Eddystone's specification, Tx Power).
    mutating func eddystonePower() throws(FrameError) -> Int8 {
        Int8(clamping: Int(try signed("power")) - 41)
    }
}
