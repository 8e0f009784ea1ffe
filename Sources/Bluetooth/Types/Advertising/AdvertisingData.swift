import Bytes

/// The content of an advertisement or a scan response, structure by structure.
///
///     0  1  length n of type and data; 0 ends the report
///     1  1  AD type
///     2  n-1 data
///
/// A structure that runs past the end ends the report; the structures before it count (Core, Vol 3, Part C, 11;
/// beacons in the field send such reports).
public struct AdvertisingData: Hashable, Sendable {
    /// How many structures of one device are remembered: three times as many as the longest extended report
    /// holds in practice. A device that changes every report must not fill memory.
    static let mostRemembered = 64

    /// The structures, in the order in which they were sent.
    public var elements: [Element] = []
    /// Bytes after the last structure that form none, zeros included: some beacons declare a structure one byte
    /// too short.
    public var leftover: [UInt8] = []

    /// No structures.
    public init() {}

    /// The structures of one report.
    public init(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        var rest = reader
        while let length: UInt8 = try? reader.integer("length"), length > 0,
            var structure = try? reader.nested("structure", Int(length)),
            let type: UInt8 = try? structure.integer("type")
        {
            elements.append(Element(type: type, data: Array(structure.remainder())))
            rest = reader
        }
        leftover = Array(rest.remainder())
    }

    /// The combination of this and a later report of the same device; the later one wins.
    public func merged(with later: AdvertisingData) -> AdvertisingData {
        var result = self
        result.elements.removeAll { old in later.elements.contains { $0.replaces(old) } }
        let excess = result.elements.count + later.elements.count - Self.mostRemembered
        result.elements.removeFirst(min(max(0, excess), result.elements.count))
        result.elements += later.elements
        if !later.leftover.isEmpty { result.leftover = later.leftover }
        return result
    }
}

extension AdvertisingData {
    /// The device's name, the complete one if both are there.
    public var name: String? {
        var shortened: String?
        for case .name(let text, let complete) in elements {
            if complete { return text }
            shortened = shortened ?? text
        }
        return shortened
    }

    /// Every service UUID that is listed.
    public var services: [BluetoothUUID] {
        elements.flatMap { element -> [BluetoothUUID] in
            if case .services(let list, _) = element { list } else { [] }
        }
    }

    /// The companies of the manufacturer data, in the order in which they were sent.
    public var companies: [UInt16] {
        elements.compactMap { if case .manufacturer(let number, _) = $0 { number } else { nil } }
    }

    /// The kind of device, according to its own advertisement.
    public var appearance: UInt16? {
        for case .appearance(let value) in elements { return value }
        return nil
    }

    /// The transmit power in dBm, according to its own advertisement.
    public var txPower: Int8? {
        for case .txPower(let value) in elements { return value }
        return nil
    }

    /// The data of company `number`, the latest if several were sent.
    public func manufacturerData(_ number: UInt16) -> [UInt8]? {
        for case .manufacturer(number, let data) in elements.reversed() { return data }
        return nil
    }
}
