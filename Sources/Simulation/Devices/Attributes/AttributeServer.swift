public import Bluetooth
import Bytes

/// The server side of the Attribute Protocol over raw packets (Core, Vol 3, Part F).
///
/// Its encoding is separate from any client's, and it has no clock: one packet in, at most one packet out.
public struct AttributeServer: Sendable {
    /// What a client did to a characteristic.
    public enum Event: Hashable, Sendable {
        /// A Write Request was accepted and is answered.
        case written([UInt8], to: BluetoothUUID)
        /// A Write Command was accepted.
        case commanded([UInt8], to: BluetoothUUID)
        case confirmed

        var write: (value: [UInt8], to: BluetoothUUID)? {
            switch self {
            case .written(let value, let uuid), .commanded(let value, let uuid): (value, uuid)
            case .confirmed: nil
            }
        }
    }

    /// The outcome of one packet: a response to send, and an event for the device.
    public struct Outcome: Hashable, Sendable {
        public var answer: [UInt8]?
        public var event: Event?

        public init(answer: [UInt8]? = nil, event: Event? = nil) {
            (self.answer, self.event) = (answer, event)
        }
    }

    /// The MTU without an exchange, in bytes.
    package static let defaultMTU = 23

    public internal(set) var agreedMTU = defaultMTU
    public internal(set) var isEncrypted = false
    /// What the client did with the last packet, except a write; nil for nothing that is reported to observers.
    var lastAct: ClientAct?
    /// The write in the last packet, if it was accepted.
    private(set) var written: (value: [UInt8], to: BluetoothUUID)?
    var brokenRule: AttributeRule?
    var hasExchangedMTU = false
    let maximumMTU: Int
    let keepsWordSize: Bool
    let attributes: [Attribute]
    var configurations: [BluetoothUUID: UInt16] = [:]
    private(set) var values: [BluetoothUUID: [UInt8]] = [:]

    /// A server of `table` for one link, with notifications off.
    ///
    /// With `keepsWordSize`, an MTU below the maximum is only agreed on as 4n+3, so that the payload of a Write Command
    /// is a multiple of 4 (nordic-secure.md, Layout).
    public init(_ table: AttributeTable, maximumMTU: Int, keepsWordSize: Bool = false) {
        attributes = Attribute.list(table)
        self.maximumMTU = maximumMTU
        self.keepsWordSize = keepsWordSize
    }

    public mutating func receive(_ packet: [UInt8]) -> Outcome {
        forgetLastPacket()
        guard let opcode = packet.first else { return Outcome() }
        if packet.count > agreedMTU { brokenRule = .packetBeyondMTU }
        var reader = ByteReader(packet[1...], startingAt: 1)
        do throws(AttributeRefusal) {
            switch opcode {
            case 0x02: return Outcome(answer: try exchangeMTU(&reader))
            case 0x04: return Outcome(answer: try findInformation(&reader))
            case 0x06: return Outcome(answer: try findByTypeValue(&reader))
            case 0x08: return Outcome(answer: try readByType(&reader))
            case 0x0A, 0x0C: return Outcome(answer: try read(&reader, isBlob: opcode == 0x0C))
            case 0x10: return Outcome(answer: try readByGroupType(&reader))
            case 0x12:
                let event = try write(&reader)
                written = event?.write
                return Outcome(answer: [0x13], event: event)
            case 0x1E: return Outcome(event: .confirmed)
            case 0x52:
                let event = command(&reader)
                written = event?.write
                return Outcome(event: event)
            case 0x01, 0x1B, 0x1D, 0x23: return Outcome()  // server packets: a response gets no response
            case _ where opcode & 0x40 != 0: return Outcome()  // an unknown command is ignored
            default: throw AttributeRefusal(.notSupported)
            }
        } catch {
            lastAct = .refused(code: error.code.rawValue)
            brokenRule = brokenRule ?? AttributeRule(error)
            return Outcome(answer: [0x01, opcode] + error.handle.bytes() + [error.code.rawValue])
        }
    }

    static func isRequest(_ packet: [UInt8]) -> Bool {
        guard let opcode = packet.first else { return false }
        return opcode & 0x40 == 0 && opcode & 1 == 0 && opcode != 0x1E
    }

    mutating func forgetLastPacket() { (lastAct, written, brokenRule) = (nil, nil, nil) }

    public mutating func set(_ value: [UInt8], for uuid: BluetoothUUID) { values[uuid] = value }

    /// An error response to the Write Request `packet`, to be sent instead of the normal response.
    static func refusal(of packet: [UInt8], code: UInt8) -> [UInt8] {
        [0x01, 0x12] + packet.dropFirst().prefix(2) + [code]
    }

    /// A Handle Value Notification of `value`, cut to the MTU; nil while the client has notifications off.
    package func notification(_ value: [UInt8], from uuid: BluetoothUUID) -> [UInt8]? {
        valuePacket(0x1B, value, from: uuid, bit: 1)
    }

    /// A Handle Value Indication of `value`, cut to the MTU; nil while the client has indications off.
    package func indication(_ value: [UInt8], from uuid: BluetoothUUID) -> [UInt8]? {
        valuePacket(0x1D, value, from: uuid, bit: 2)
    }

    /// A Service Changed indication for all handles from `service` on, to a bonded central, which stays subscribed.
    mutating func serviceChange(from service: BluetoothUUID) -> [UInt8]? {
        let start = attributes.first { $0.type == Attribute.primaryService && $0.value == service.wire }
        guard let start else { return nil }
        configurations[AttributeTable.serviceChanged] = 2
        let range = start.handle.bytes() + UInt16.max.bytes()
        return indication(range, from: AttributeTable.serviceChanged)
    }

    /// Whether the client has set one of `bits`: 1 for notifications, 2 for indications.
    func isSubscribed(to uuid: BluetoothUUID, bits: UInt16 = 3) -> Bool {
        configurations[uuid, default: 0] & bits != 0
    }

    private func valuePacket(
        _ opcode: UInt8, _ value: [UInt8], from uuid: BluetoothUUID, bit: UInt16
    ) -> [UInt8]? {
        guard isSubscribed(to: uuid, bits: bit),
            let attribute = attributes.first(where: { $0.type == uuid })
        else { return nil }
        return [opcode] + attribute.handle.bytes() + value.prefix(agreedMTU - 3)
    }

    func attribute(_ handle: UInt16) throws(AttributeRefusal) -> Attribute {
        guard attributes.indices.contains(Int(handle) - 1) else {
            throw AttributeRefusal(.invalidHandle, at: handle)
        }
        return attributes[Int(handle) - 1]
    }

    func matching(
        _ range: ClosedRange<UInt16>, _ condition: (Attribute) -> Bool
    ) throws(AttributeRefusal) -> [Attribute] {
        let found = attributes.filter { range.contains($0.handle) && condition($0) }
        guard !found.isEmpty else { throw AttributeRefusal(.notFound, at: range.lowerBound) }
        return found
    }

    static func range(_ reader: inout ByteReader) throws(AttributeRefusal) -> ClosedRange<UInt16> {
        let first = try word(&reader)
        let last = try word(&reader)
        guard first > 0, first <= last else { throw AttributeRefusal(.invalidHandle, at: first) }
        return first...last
    }

    static func word(_ reader: inout ByteReader) throws(AttributeRefusal) -> UInt16 {
        do { return try reader.integer("field") } catch { throw AttributeRefusal(.malformed) }
    }

    static func end(_ reader: ByteReader) throws(AttributeRefusal) {
        guard reader.remaining == 0 else { throw AttributeRefusal(.malformed) }
    }

    mutating func exchangeMTU(_ reader: inout ByteReader) throws(AttributeRefusal) -> [UInt8] {
        let asked = Int(try Self.word(&reader))
        try Self.end(reader)
        var granted = maximumMTU
        if keepsWordSize, asked < maximumMTU { granted = max(asked - (asked + 1) % 4, Self.defaultMTU) }
        agreedMTU = max(min(asked, granted), Self.defaultMTU)
        if hasExchangedMTU { brokenRule = .mtuExchangedAgain }
        if asked < Self.defaultMTU { brokenRule = .mtuTooSmall }
        hasExchangedMTU = true
        lastAct = .exchangedMTU(asked: asked, agreed: agreedMTU)
        return [0x03] + UInt16(truncatingIfNeeded: granted).bytes()
    }

    func findInformation(_ reader: inout ByteReader) throws(AttributeRefusal) -> [UInt8] {
        let range = try Self.range(&reader)
        try Self.end(reader)
        let found = try matching(range) { _ in true }
        let width = found[0].type.wire.count
        let alike = found.prefix { $0.type.wire.count == width }.prefix((agreedMTU - 2) / (2 + width))
        return [0x05, width == 2 ? 1 : 2] + alike.flatMap { $0.handle.bytes() + $0.type.wire }
    }

    func findByTypeValue(_ reader: inout ByteReader) throws(AttributeRefusal) -> [UInt8] {
        let range = try Self.range(&reader)
        let type = BluetoothUUID(try Self.word(&reader))
        let value = Array(reader.remainder())
        let found = try matching(range) { $0.type == type && $0.value == value }
        return [0x07]
            + found.prefix((agreedMTU - 1) / 4).flatMap {
                $0.handle.bytes() + $0.groupEnd.bytes()
            }
    }

    func readByType(_ reader: inout ByteReader) throws(AttributeRefusal) -> [UInt8] {
        let range = try Self.range(&reader)
        guard let type = BluetoothUUID(wire: reader.remainder()) else { throw AttributeRefusal(.malformed) }
        let found = try matching(range) { $0.type == type }
        var values = [try content(of: found[0])]
        for attribute in found.dropFirst() {
            guard let value = try? content(of: attribute), value.count == values[0].count else { break }
            values.append(value)
        }
        return list(0x09, zip(found, values).map { ($0.handle, nil, $1) })
    }

    func readByGroupType(_ reader: inout ByteReader) throws(AttributeRefusal) -> [UInt8] {
        let range = try Self.range(&reader)
        guard let type = BluetoothUUID(wire: reader.remainder()) else { throw AttributeRefusal(.malformed) }
        guard type == Attribute.primaryService else {
            throw AttributeRefusal(.unsupportedGroup, at: range.lowerBound)
        }
        let found = try matching(range) { $0.type == type }
        let alike = found.prefix { $0.value.count == found[0].value.count }
        return list(0x11, alike.map { ($0.handle, $0.groupEnd, $0.value) })
    }

    /// Answers a Read Request or, with `isBlob`, a Read Blob Request for the rest of a value from an offset.
    func read(_ reader: inout ByteReader, isBlob: Bool) throws(AttributeRefusal) -> [UInt8] {
        let attribute = try attribute(try Self.word(&reader))
        let offset = isBlob ? Int(try Self.word(&reader)) : 0
        try Self.end(reader)
        let value = try content(of: attribute)
        guard offset <= value.count else { throw AttributeRefusal(.invalidOffset, at: attribute.handle) }
        return [isBlob ? 0x0D : 0x0B] + value.dropFirst(offset).prefix(agreedMTU - 1)
    }

    /// A list of entries of equal length: the opcode, the length, then each handle, group end if any, and value.
    private func list(_ opcode: UInt8, _ entries: [(UInt16, UInt16?, [UInt8])]) -> [UInt8] {
        guard let first = entries.first else { return [] }
        let header = first.1 == nil ? 2 : 4
        let width = min(first.2.count, agreedMTU - 2 - header, 255 - header)
        let fitting = entries.prefix((agreedMTU - 2) / (header + width))
        return [opcode, UInt8(header + width)]
            + fitting.flatMap { handle, groupEnd, value in
                [handle, groupEnd].compactMap(\.self).flatMap { $0.bytes() } + value.prefix(width)
            }
    }

    private func content(of attribute: Attribute) throws(AttributeRefusal) -> [UInt8] {
        switch attribute.role {
        case .service, .declaration: return attribute.value
        case .value(let entry) where entry.isForbidden:
            throw AttributeRefusal(.insufficientAuthorization, at: attribute.handle)
        case .value(let entry) where entry.properties.contains(.read):
            return values[entry.uuid] ?? attribute.value
        case .value: throw AttributeRefusal(.readNotPermitted, at: attribute.handle)
        case .configuration(let uuid): return configurations[uuid, default: 0].bytes()
        }
    }
}
