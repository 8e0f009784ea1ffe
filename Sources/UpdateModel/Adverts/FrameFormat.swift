package import Bluetooth

/// The format of one kind of frame: its name, its place in advertisements, its fields, and the facts that they report.
/// Only a list of formats names it (`AdvertisingVendor`, `FrameTable`).
package protocol FrameFormat: Equatable, Sendable {
    static var kind: FrameKind { get }
    static var places: [FramePlace] { get }
    /// Parses the fields; throws if the frame is too short, or does not begin as its format requires.
    init(parsing reader: inout FrameReader) throws(FrameError)
    var facts: FrameFacts { get }

    /// The facts in an advertisement's data at one of `places`; nil if the data turns out to be another maker's.
    static func facts(in advert: FrameSource) throws(FrameError) -> FrameFacts?
}

extension FrameFormat {
    @inlinable package var facts: FrameFacts { FrameFacts() }

    @inlinable package static func facts(in advert: FrameSource) throws(FrameError) -> FrameFacts? {
        var reader = FrameReader(advert.bytes, kind, company: advert.company)
        return try Self(parsing: &reader).facts
    }

    @inlinable package init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, Self.kind)
        try self.init(parsing: &reader)
    }
}

/// A kind of frame. Each is declared once, by its format, and compared by identity.
package final class FrameKind: Sendable, Hashable {
    /// The name in JSON.
    package let rawValue: String
    /// The family whose beacons send it; `unknown` if any beacon may.
    package let family: Family

    package init(_ name: String, of family: Family) { (rawValue, self.family) = (name, family) }

    package static func == (one: FrameKind, other: FrameKind) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A place in advertisements where a kind of frame is found.
package struct FramePlace: Sendable {
    package enum Carrier: Hashable, Sendable {
        /// Service data of a 16-bit service.
        case serviceData(UInt16)
        /// Manufacturer data of the company with this Bluetooth number; nil for any company.
        case manufacturer(UInt16?)
        /// No data: the list of services contains this one.
        case service(BluetoothUUID)
    }

    package let carrier: Carrier
    /// The bytes with which the data must begin.
    package let prefix: [UInt8]
    /// A service that the same beacon must also list; nil for none.
    package let requiredService: BluetoothUUID?

    package static func serviceData(_ service: UInt16, _ prefix: UInt8...) -> FramePlace {
        FramePlace(carrier: .serviceData(service), prefix: prefix, requiredService: nil)
    }

    package static func manufacturer(
        _ company: UInt16?, _ prefix: UInt8..., withService requiredService: BluetoothUUID? = nil
    ) -> FramePlace {
        FramePlace(carrier: .manufacturer(company), prefix: prefix, requiredService: requiredService)
    }

    package static func service(_ service: BluetoothUUID) -> FramePlace {
        FramePlace(carrier: .service(service), prefix: [], requiredService: nil)
    }
}

/// The data of an advertisement at the place of a kind of frame.
package struct FrameSource {
    /// The bytes after the UUID or the company.
    package let bytes: [UInt8]
    /// The company of manufacturer data; nil for service data.
    package let company: UInt16?
    /// The bytes after the last structure of the advertising report.
    package let leftover: [UInt8]
    package let sender: DeviceAddress

    package init(_ bytes: [UInt8], company: UInt16? = nil, leftover: [UInt8], sender: DeviceAddress) {
        (self.bytes, self.company, self.leftover, self.sender) = (bytes, company, leftover, sender)
    }
}

/// A vendor whose beacons advertise frames of their own.
package protocol AdvertisingVendor: Vendor {
    var frameFormats: [any FrameFormat.Type] { get }
}
