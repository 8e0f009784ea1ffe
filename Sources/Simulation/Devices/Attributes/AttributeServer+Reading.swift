import Bluetooth
import Bytes

extension AttributeServer {
    mutating func exchangeMTU(_ reader: inout ByteReader) throws(AttributeRefusal) -> [UInt8] {
        let asked = Int(try Self.word(&reader))
        try Self.end(reader)
        var granted = maximumMTU
        if keepsWordSize, asked < maximumMTU {
            granted = max(asked - (asked + 1) % 4, Self.defaultMTU)
        }
        agreedMTU = max(min(asked, granted), Self.defaultMTU)
        if hasExchangedMTU { brokenRule = .exchangedMTUAgain }
        if asked < Self.defaultMTU { brokenRule = .shortMTU }
        hasExchangedMTU = true
        note(.exchangedMTU(asked: asked, agreed: agreedMTU))
        var writer = ByteWriter([0x03])
        writer.integer(UInt16(truncatingIfNeeded: granted))
        return writer.bytes
    }

    func findInformation(_ reader: inout ByteReader) throws(AttributeRefusal) -> [UInt8] {
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

    func findByTypeValue(_ reader: inout ByteReader) throws(AttributeRefusal) -> [UInt8] {
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

    func readByType(_ reader: inout ByteReader) throws(AttributeRefusal) -> [UInt8] {
        let range = try Self.range(&reader)
        guard let type = BluetoothUUID(wire: reader.remainder()) else {
            throw AttributeRefusal(AttributeRefusal.malformed)
        }
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
        guard let type = BluetoothUUID(wire: reader.remainder()) else {
            throw AttributeRefusal(AttributeRefusal.malformed)
        }
        guard type == Attribute.primaryService else {
            throw AttributeRefusal(AttributeRefusal.unsupportedGroup, at: range.lowerBound)
        }
        let found = try matching(range) { $0.type == type }
        let alike = found.prefix { $0.value.count == found[0].value.count }
        return list(0x11, alike.map { ($0.handle, $0.groupEnd, $0.value) })
    }

    func read(_ reader: inout ByteReader) throws(AttributeRefusal) -> [UInt8] {
        let attribute = try attribute(try Self.word(&reader))
        try Self.end(reader)
        return [0x0B] + (try content(of: attribute)).prefix(agreedMTU - 1)
    }

    func readBlob(_ reader: inout ByteReader) throws(AttributeRefusal) -> [UInt8] {
        let attribute = try attribute(try Self.word(&reader))
        let offset = Int(try Self.word(&reader))
        try Self.end(reader)
        let value = try content(of: attribute)
        guard offset <= value.count else {
            throw AttributeRefusal(AttributeRefusal.invalidOffset, at: attribute.handle)
        }
        return [0x0D] + value.dropFirst(offset).prefix(agreedMTU - 1)
    }

    /// A list of entries of equal length: the opcode, the length, then each handle, group end if any, and value.
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

    private func content(of attribute: Attribute) throws(AttributeRefusal) -> [UInt8] {
        switch attribute.role {
        case .service, .declaration: return attribute.value
        case .value(let entry) where entry.isForbidden:
            throw AttributeRefusal(AttributeRefusal.insufficientAuthorization, at: attribute.handle)
        case .value(let entry) where entry.properties.contains(.read):
            return values[entry.uuid] ?? attribute.value
        case .value: throw AttributeRefusal(AttributeRefusal.readNotPermitted, at: attribute.handle)
        case .configuration(let uuid):
            var writer = ByteWriter()
            writer.integer(configurations[uuid, default: 0])
            return writer.bytes
        }
    }
}
