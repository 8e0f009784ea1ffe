public import BluetoothTypes
import ByteCoding

/// The server's end of the Attribute Protocol over raw packets (Core, Vol 3, Part F).
///
/// It has its own encoding, shared with no client, and no clock: a packet in, at most one packet out.
public struct AttributeServer: Sendable {
    /// What a client did to a characteristic.
    public enum Event: Hashable, Sendable {
        /// A Write Request was accepted and is answered.
        case written([UInt8], to: BluetoothUUID)
        /// A Write Command was accepted.
        case commanded([UInt8], to: BluetoothUUID)
        /// An indication was confirmed.
        case confirmed
    }

    /// What comes of one packet: an answer to send, and news for the device.
    public struct Outcome: Hashable, Sendable {
        /// The packet to send back.
        public var answer: [UInt8]?
        /// What the device has to know.
        public var event: Event?

        /// An outcome of either, both or nothing.
        public init(answer: [UInt8]? = nil, event: Event? = nil) {
            self.answer = answer
            self.event = event
        }
    }

    /// Without an exchange.
    public static let defaultMTU = 23

    /// What both ends have agreed on for this link.
    public private(set) var agreedMTU = defaultMTU
    private let maximumMTU: Int
    private let keepsWordSize: Bool
    private let attributes: [Attribute]
    private var configurations: [BluetoothUUID: UInt16] = [:]

    /// A server of `table` for one link; notifications are off.
    ///
    /// With `keepsWordSize` an MTU below the maximum is agreed on only as 4n+3, so that the payload of a
    /// Write Command is a multiple of 4 (nordic-dfu 1.2).
    public init(_ table: AttributeTable, maximumMTU: Int, keepsWordSize: Bool = false) {
        attributes = Attribute.list(table)
        self.maximumMTU = maximumMTU
        self.keepsWordSize = keepsWordSize
    }

    /// Takes one packet from the client.
    public mutating func receive(_ packet: [UInt8]) -> Outcome {
        guard let opcode = packet.first else { return Outcome() }
        var reader = ByteReader(packet[1...], startingAt: 1)
        do throws(AttributeFlaw) {
            switch opcode {
            case 0x02: return Outcome(answer: try exchangeMTU(&reader))
            case 0x04: return Outcome(answer: try findInformation(&reader))
            case 0x06: return Outcome(answer: try findByTypeValue(&reader))
            case 0x08: return Outcome(answer: try readByType(&reader))
            case 0x0A: return Outcome(answer: try read(&reader))
            case 0x0C: return Outcome(answer: try readBlob(&reader))
            case 0x10: return Outcome(answer: try readByGroupType(&reader))
            case 0x12: return Outcome(answer: [0x13], event: try write(&reader))
            case 0x1E: return Outcome(event: .confirmed)
            case 0x52: return Outcome(event: command(&reader))
            case 0x01, 0x1B, 0x1D, 0x23: return Outcome()  // a server's words: no answer to an answer
            case _ where opcode & 0x40 != 0: return Outcome()  // an unknown command is ignored
            default: throw AttributeFlaw(AttributeFlaw.notSupported)
            }
        } catch {
            var writer = ByteWriter([0x01, opcode])
            writer.integer(error.handle)
            writer.integer(error.code)
            return Outcome(answer: writer.bytes)
        }
    }

    /// Handle Value Notification of `value`, cut to the MTU; nil while the client has them off.
    public func notification(_ value: [UInt8], from uuid: BluetoothUUID) -> [UInt8]? {
        valuePacket(0x1B, value, from: uuid, bit: 1)
    }

    /// Handle Value Indication of `value`, cut to the MTU; nil while the client has them off.
    public func indication(_ value: [UInt8], from uuid: BluetoothUUID) -> [UInt8]? {
        valuePacket(0x1D, value, from: uuid, bit: 2)
    }

    private func valuePacket(
        _ opcode: UInt8, _ value: [UInt8], from uuid: BluetoothUUID, bit: UInt16
    ) -> [UInt8]? {
        guard configurations[uuid, default: 0] & bit != 0,
            let attribute = attributes.first(where: { $0.type == uuid })
        else { return nil }
        var writer = ByteWriter([opcode])
        writer.integer(attribute.handle)
        writer.append(value.prefix(agreedMTU - 3))
        return writer.bytes
    }
}

// Discovery and reading.
extension AttributeServer {
    private mutating func exchangeMTU(_ reader: inout ByteReader) throws(AttributeFlaw) -> [UInt8] {
        let asked = Int(try Self.word(&reader))
        try Self.end(reader)
        var granted = maximumMTU
        if keepsWordSize, asked < maximumMTU {
            granted = max(asked - (asked + 1) % 4, Self.defaultMTU)
        }
        agreedMTU = max(min(asked, granted), Self.defaultMTU)
        var writer = ByteWriter([0x03])
        writer.integer(UInt16(truncatingIfNeeded: granted))
        return writer.bytes
    }

    private func findInformation(_ reader: inout ByteReader) throws(AttributeFlaw) -> [UInt8] {
        let range = try Self.range(&reader)
        try Self.end(reader)
        let found = try matching(range) { _ in true }
        let width = found[0].type.wire.count
        var writer = ByteWriter([0x05, width == 2 ? 1 : 2])
        for attribute in found.prefix(while: { $0.type.wire.count == width }) {
            guard writer.bytes.count + 2 + width <= agreedMTU else { break }
            writer.integer(attribute.handle)
            writer.append(attribute.type.wire)
        }
        return writer.bytes
    }

    private func findByTypeValue(_ reader: inout ByteReader) throws(AttributeFlaw) -> [UInt8] {
        let range = try Self.range(&reader)
        let type = BluetoothUUID(try Self.word(&reader))
        let value = Array(reader.remainder())
        let found = try matching(range) { $0.type == type && $0.value == value }
        var writer = ByteWriter([0x07])
        for attribute in found where writer.bytes.count + 4 <= agreedMTU {
            writer.integer(attribute.handle)
            writer.integer(attribute.groupEnd)
        }
        return writer.bytes
    }

    private func readByType(_ reader: inout ByteReader) throws(AttributeFlaw) -> [UInt8] {
        let range = try Self.range(&reader)
        guard let type = BluetoothUUID(wire: reader.remainder()) else {
            throw AttributeFlaw(AttributeFlaw.malformed)
        }
        let found = try matching(range) { $0.type == type }
        var values = [try content(of: found[0])]
        for attribute in found.dropFirst() {
            guard let value = try? content(of: attribute), value.count == values[0].count else { break }
            values.append(value)
        }
        return list(0x09, zip(found, values).map { ($0.handle, nil, $1) })
    }

    private func readByGroupType(_ reader: inout ByteReader) throws(AttributeFlaw) -> [UInt8] {
        let range = try Self.range(&reader)
        guard let type = BluetoothUUID(wire: reader.remainder()) else {
            throw AttributeFlaw(AttributeFlaw.malformed)
        }
        guard type == Attribute.primaryService else {
            throw AttributeFlaw(AttributeFlaw.unsupportedGroup, at: range.lowerBound)
        }
        let found = try matching(range) { $0.type == type }
        let alike = found.prefix { $0.value.count == found[0].value.count }
        return list(0x11, alike.map { ($0.handle, $0.groupEnd, $0.value) })
    }

    private func read(_ reader: inout ByteReader) throws(AttributeFlaw) -> [UInt8] {
        let attribute = try attribute(try Self.word(&reader))
        try Self.end(reader)
        return [0x0B] + (try content(of: attribute)).prefix(agreedMTU - 1)
    }

    private func readBlob(_ reader: inout ByteReader) throws(AttributeFlaw) -> [UInt8] {
        let attribute = try attribute(try Self.word(&reader))
        let offset = Int(try Self.word(&reader))
        try Self.end(reader)
        let value = try content(of: attribute)
        guard offset <= value.count else {
            throw AttributeFlaw(AttributeFlaw.invalidOffset, at: attribute.handle)
        }
        return [0x0D] + value.dropFirst(offset).prefix(agreedMTU - 1)
    }

    /// Entries of one length behind a length byte: handle, group end where there is one, value.
    private func list(_ opcode: UInt8, _ entries: [(UInt16, UInt16?, [UInt8])]) -> [UInt8] {
        guard let first = entries.first else { return [] }
        let header = first.1 == nil ? 2 : 4
        let width = min(first.2.count, agreedMTU - 2 - header, 255 - header)
        var writer = ByteWriter([opcode, UInt8(header + width)])
        for (handle, groupEnd, value) in entries
        where writer.bytes.count + header + width <= agreedMTU {
            writer.integer(handle)
            if let groupEnd { writer.integer(groupEnd) }
            writer.append(value.prefix(width))
        }
        return writer.bytes
    }

    private func content(of attribute: Attribute) throws(AttributeFlaw) -> [UInt8] {
        switch attribute.role {
        case .service, .declaration: return attribute.value
        case .value(let entry) where entry.properties.contains(.read): return attribute.value
        case .value: throw AttributeFlaw(AttributeFlaw.readNotPermitted, at: attribute.handle)
        case .configuration(let uuid):
            var writer = ByteWriter()
            writer.integer(configurations[uuid, default: 0])
            return writer.bytes
        }
    }
}

// Writing.
extension AttributeServer {
    private mutating func write(_ reader: inout ByteReader) throws(AttributeFlaw) -> Event? {
        let attribute = try attribute(try Self.word(&reader))
        let value = Array(reader.remainder())
        switch attribute.role {
        case .configuration(let uuid):
            guard value.count == 2 else {
                throw AttributeFlaw(AttributeFlaw.invalidLength, at: attribute.handle)
            }
            configurations[uuid] = UInt16(value[0]) | UInt16(value[1]) << 8
            return nil
        case .value(let entry) where entry.properties.contains(.write):
            guard value.count <= entry.maximumLength else {
                throw AttributeFlaw(AttributeFlaw.invalidLength, at: attribute.handle)
            }
            guard !entry.needsSubscription || configurations[entry.uuid, default: 0] & 3 != 0 else {
                throw AttributeFlaw(AttributeFlaw.configurationImproper, at: attribute.handle)
            }
            return .written(value, to: entry.uuid)
        case .service, .declaration, .value:
            throw AttributeFlaw(AttributeFlaw.writeNotPermitted, at: attribute.handle)
        }
    }

    /// A command is never answered: one that is not allowed is as if it had not come.
    private func command(_ reader: inout ByteReader) -> Event? {
        guard let handle = try? reader.integer("handle", as: UInt16.self),
            let attribute = try? attribute(handle), case .value(let entry) = attribute.role,
            entry.properties.contains(.writeCommand), reader.remaining <= entry.maximumLength
        else { return nil }
        return .commanded(Array(reader.remainder()), to: entry.uuid)
    }
}

// Fields.
extension AttributeServer {
    private func attribute(_ handle: UInt16) throws(AttributeFlaw) -> Attribute {
        guard attributes.indices.contains(Int(handle) - 1) else {
            throw AttributeFlaw(AttributeFlaw.invalidHandle, at: handle)
        }
        return attributes[Int(handle) - 1]
    }

    /// The attributes of a range that fulfil `condition`: at least one.
    private func matching(
        _ range: ClosedRange<UInt16>, _ condition: (Attribute) -> Bool
    ) throws(AttributeFlaw) -> [Attribute] {
        let found = attributes.filter { range.contains($0.handle) && condition($0) }
        guard !found.isEmpty else { throw AttributeFlaw(AttributeFlaw.notFound, at: range.lowerBound) }
        return found
    }

    private static func range(_ reader: inout ByteReader) throws(AttributeFlaw) -> ClosedRange<UInt16> {
        let first = try word(&reader)
        let last = try word(&reader)
        guard first > 0, first <= last else { throw AttributeFlaw(AttributeFlaw.invalidHandle, at: first) }
        return first...last
    }

    private static func word(_ reader: inout ByteReader) throws(AttributeFlaw) -> UInt16 {
        do { return try reader.integer("field") } catch { throw AttributeFlaw(AttributeFlaw.malformed) }
    }

    private static func end(_ reader: ByteReader) throws(AttributeFlaw) {
        guard reader.remaining == 0 else { throw AttributeFlaw(AttributeFlaw.malformed) }
    }
}
