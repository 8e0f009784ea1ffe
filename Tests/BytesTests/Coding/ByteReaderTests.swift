import Bytes
import TestSupport
import Testing

@Suite struct `A byte reader` {
    private static let bytes = [UInt8](hex: "0102030405060708 090a0b0c0d0e0f10")

    @Test func `reads integers of every width with the low byte first`() throws {
        var reader = ByteReader(Self.bytes)
        #expect(try reader.integer("a") as UInt8 == 0x01)
        #expect(try reader.integer("b") as UInt16 == 0x0302)
        #expect(try reader.integer("c") as UInt32 == 0x0706_0504)
        #expect(try reader.integer("d") as UInt64 == 0x0F0E_0D0C_0B0A_0908)
        #expect(reader.offset == 15 && reader.remaining == 1)
    }

    @Test func `reads integers of every width with the high byte first`() throws {
        var reader = ByteReader(Self.bytes)
        #expect(try reader.integer("a", as: UInt8.self, .big) == 0x01)
        #expect(try reader.integer("b", as: UInt16.self, .big) == 0x0203)
        #expect(try reader.integer("c", as: UInt32.self, .big) == 0x0405_0607)
        #expect(try reader.integer("d", as: UInt64.self, .big) == 0x0809_0A0B_0C0D_0E0F)
    }

    @Test(arguments: [ByteOrder.little, .big])
    func `reads the largest and the smallest numbers`(_ order: ByteOrder) throws {
        var ones = ByteReader([UInt8](repeating: 0xFF, count: 15))
        #expect(try ones.integer("a", as: UInt8.self, order) == .max)
        #expect(try ones.integer("b", as: UInt16.self, order) == .max)
        #expect(try ones.integer("c", as: UInt32.self, order) == .max)
        #expect(try ones.integer("d", as: UInt64.self, order) == .max)
        var zeros = ByteReader([UInt8](repeating: 0, count: 8))
        #expect(try zeros.integer("e", as: UInt64.self, order) == 0)
    }

    @Test func `reads byte strings, including empty ones`() throws {
        var reader = ByteReader([1, 2, 3])
        #expect(try reader.bytes("none", 0) == [])
        #expect(try reader.bytes("two", 2) == [1, 2])
        #expect(reader.remainder() == [3])
        #expect(reader.remainder() == [] && reader.remaining == 0 && reader.offset == 3)
        try reader.end(of: "packet")
    }

    @Test(arguments: [(4, 1, 3), (8, 0, 7), (2, 6, 1)])
    func `names field and offset of missing bytes`(_ width: Int, _ offset: Int, _ left: Int) throws {
        var reader = ByteReader([UInt8](repeating: 9, count: offset + left))
        _ = try reader.bytes("before", offset)
        let error = ByteError(
            offset: offset, field: "after", reason: .truncated(needed: width, available: left))
        #expect(throws: error) { try reader.bytes("after", width) }
        // A missing field leaves the reader where it was.
        #expect(reader.offset == offset && reader.remaining == left)
        #expect(error.description == "after at offset \(offset): \(width) bytes needed, \(left) left")
    }

    @Test(arguments: [-1, Int.min, Int.max, 4])
    func `refuses a count beyond its end`(_ count: Int) {
        var reader = ByteReader([1, 2, 3])
        let error = ByteError(offset: 0, field: "x", reason: .truncated(needed: count, available: 3))
        #expect(throws: error) { try reader.bytes("x", count) }
        #expect(throws: error) { try reader.nested("x", count) }
        #expect(reader.remaining == 3)
    }

    @Test func `counts the offsets of nested readers from the start of the file`() throws {
        var outer = ByteReader(Self.bytes)
        _ = try outer.bytes("header", 3)
        var middle = try outer.nested("middle", 6)
        #expect(middle.offset == 3 && middle.remaining == 6 && outer.offset == 9)
        _ = try middle.bytes("header", 2)
        var inner = try middle.nested("inner", 3)
        #expect(inner.offset == 5 && middle.offset == 8)
        #expect(try inner.integer("field", as: UInt16.self) == 0x0706)
        // Bytes after a nested reader are not its own.
        let error = ByteError(offset: 7, field: "long", reason: .truncated(needed: 2, available: 1))
        #expect(throws: error) { try inner.integer("long", as: UInt16.self) }
        #expect(throws: ByteError(offset: 7, field: "inner", reason: .trailing(count: 1))) {
            try inner.end(of: "inner")
        }
        #expect(outer.remainder().first == 10)
    }

    @Test func `counts the offsets of a slice from its declared start`() throws {
        var reader = ByteReader(Self.bytes[4..<8], startingAt: 100)
        #expect(reader.offset == 100)
        #expect(try reader.integer("a", as: UInt8.self) == 5)
        #expect(reader.offset == 101 && reader.remaining == 3)
        let nested = try reader.nested("b", 2)
        #expect(nested.offset == 101)
    }
}

@Suite struct `A byte writer` {
    @Test func `writes what a byte reader reads`() throws {
        for order in [ByteOrder.little, .big] {
            var writer = ByteWriter([0xAA])
            writer.integer(0x01 as UInt8, order)
            writer.integer(0x0203 as UInt16, order)
            writer.integer(0x0405_0607 as UInt32, order)
            writer.integer(0x0809_0A0B_0C0D_0E0F as UInt64, order)
            writer.append([0xBB, 0xCC])
            #expect(writer.bytes.count == 18)
            var reader = ByteReader(writer.bytes)
            #expect(try reader.integer("first") as UInt8 == 0xAA)
            #expect(try reader.integer("a", as: UInt8.self, order) == 0x01)
            #expect(try reader.integer("b", as: UInt16.self, order) == 0x0203)
            #expect(try reader.integer("c", as: UInt32.self, order) == 0x0405_0607)
            #expect(try reader.integer("d", as: UInt64.self, order) == 0x0809_0A0B_0C0D_0E0F)
            #expect(reader.remainder() == [0xBB, 0xCC])
        }
    }

    @Test func `writes the low byte first by default`() {
        var writer = ByteWriter()
        writer.integer(0x0102 as UInt16)
        writer.integer(0x0102 as UInt16, .big)
        #expect(writer.bytes == [2, 1, 1, 2])
    }
}

@Suite struct `A byte error` {
    @Test(
        arguments: [
            (.truncated(needed: 2, available: 1), "size at offset 3: 2 bytes needed, 1 left"),
            (.mismatch(expected: 1, found: 0xAB), "size at offset 3: 0x1 expected, 0xab found"),
            (.tooLong(limit: 4, found: 9), "size at offset 3: 9 bytes, at most 4 allowed"),
            (.trailing(count: 5), "size at offset 3: 5 bytes too many"),
            (.notHexadecimal, "size at offset 3: not hexadecimal"),
        ] as [(ByteError.Reason, String)])
    func `states field, offset and reason`(_ reason: ByteError.Reason, _ text: String) {
        #expect(ByteError(offset: 3, field: "size", reason: reason).description == text)
    }
}
