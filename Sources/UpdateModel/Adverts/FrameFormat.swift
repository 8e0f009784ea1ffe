package import Bluetooth

/// The format of one kind of frame, declared in one place: its name, where it is found, its fields, and what they
/// say about the beacon. A list of formats (`AdvertisingVendor`, `FrameTable`) is all that names it.
package protocol FrameFormat: Equatable, Sendable {
    static var kind: FrameKind { get }
    static var places: [FramePlace] { get }
    /// Parses the fields; throws if the frame is short or begins differently.
    init(parsing reader: inout FrameReader) throws(FrameError)
    var facts: FrameFacts { get }

    /// The facts in an advert at one of `places`; nil if it is somebody else's after all.
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
    /// The family that sends it; unknown if any may.
    package let family: Family

    package init(_ name: String, of family: Family) { (rawValue, self.family) = (name, family) }

    package static func == (one: FrameKind, other: FrameKind) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Where a kind of frame is found.
package struct FramePlace: Sendable {
    package enum Carrier: Hashable, Sendable {
        /// Service data of a 16-bit service.
        case serviceData(UInt16)
        /// Manufacturer data; nil for any company.
        case manufacturer(UInt16?)
        /// The list of services alone.
        case service(BluetoothUUID)
    }

    package let carrier: Carrier
    /// The first bytes of the data.
    package let prefix: [UInt8]
    /// A service that the sender has to list too.
    package let neighbour: BluetoothUUID?

    package static func serviceData(_ service: UInt16, _ prefix: UInt8...) -> FramePlace {
        FramePlace(carrier: .serviceData(service), prefix: prefix, neighbour: nil)
    }

    package static func manufacturer(
        _ company: UInt16?, _ prefix: UInt8..., beside neighbour: BluetoothUUID? = nil
    ) -> FramePlace {
        FramePlace(carrier: .manufacturer(company), prefix: prefix, neighbour: neighbour)
    }

    package static func service(_ service: BluetoothUUID) -> FramePlace {
        FramePlace(carrier: .service(service), prefix: [], neighbour: nil)
    }
}

/// The data of an advert that is at a kind's place.
package struct FrameSource {
    /// The bytes after the UUID or the company.
    package let bytes: [UInt8]
    /// The company of manufacturer data; nil for service data.
    package let company: UInt16?
    /// The bytes after all structures of the report.
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
