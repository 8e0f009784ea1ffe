import Bluetooth
import TestSupport
import Testing

@Suite struct `A Bluetooth UUID` {
    static let control = "8EC90001-F315-4F60-9FB8-838830DAEA50"

    /// Vol 3, Part B, 2.5.1.
    @Test func `is the same in its short and its long form`() {
        let short = BluetoothUUID(0xFE59)
        #expect(BluetoothUUID("FE59") == short)
        #expect(BluetoothUUID("fe59") == short)
        #expect(BluetoothUUID("0000FE59-0000-1000-8000-00805F9B34FB") == short)
        #expect(BluetoothUUID(wire: [0x59, 0xFE]) == short)
        #expect(BluetoothUUID(wire: [UInt8](hex: "fb349b5f80000080 0010000059fe0000")) == short)
        #expect(BluetoothUUID(high: 0x0000_FE59_0000_1000, low: 0x8000_0080_5F9B_34FB) == short)
        #expect(Set([short, BluetoothUUID("FE59")].compactMap(\.self)).count == 1)
        #expect(short.short == 0xFE59 && short.wire == [0x59, 0xFE] && short.description == "FE59")
    }

    @Test func `of a vendor is long in every form`() throws {
        let uuid = try #require(BluetoothUUID(Self.control))
        #expect(uuid.short == nil)
        #expect(uuid.wire == [UInt8](hex: "50eada308883b89f604f15f30100c98e"))
        #expect(uuid.description == Self.control)
        #expect(BluetoothUUID(Self.control.lowercased()) == uuid)
        #expect(BluetoothUUID(Self.control.filter { $0 != "-" }) == uuid)
        #expect(BluetoothUUID(wire: uuid.wire) == uuid)
    }

    @Test(arguments: [0, 1, 0x00FF, 0x1800, 0xFFFF] as [UInt16])
    func `keeps every short number`(_ number: UInt16) {
        let uuid = BluetoothUUID(number)
        #expect(uuid.short == number)
        #expect(BluetoothUUID(wire: uuid.wire) == uuid)
        #expect(BluetoothUUID(uuid.description) == uuid)
    }

    /// With one byte changed it is not on the base UUID.
    @Test(arguments: [0, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
    func `has no short form unless it is on the base UUID`(_ index: Int) {
        var wire: [UInt8] = [UInt8](hex: "fb349b5f80000080 0010000059fe0000")
        wire[15 - index] ^= 1
        let uuid = BluetoothUUID(wire: wire)
        #expect(uuid != nil && uuid?.short == nil && uuid?.wire == wire)
    }

    @Test(arguments: [0, 1, 3, 4, 15, 17])
    func `has no other length on the wire`(_ count: Int) {
        #expect(BluetoothUUID(wire: [UInt8](repeating: 1, count: count)) == nil)
    }

    @Test(arguments: [
        "", "F", "FE5", "FE590", "GE59", "+E59", "-FE59", "FE-59", "F-E-5-9", "ＦE59", "FE59 ", "0xFE59",
        "8EC90001-F315-4F60-9FB8-838830DAEA5", "8EC90001-F315-4F60-9FB8-838830DAEA500",
        "8EC90001F315-4F60-9FB8-838830DAEA50", "8EC9-0001-F315-4F60-9FB8-838830DAEA50",
        "8EC90001-F3154F60-9FB8-8388-30DAEA50", "8EC90001-F315-4F60-9FB8-838830DAEA50-",
        "{8EC90001-F315-4F60-9FB8-838830DAEA50}", "--------------------------------",
    ])
    func `is not made from any other text`(_ text: String) {
        #expect(BluetoothUUID(text) == nil)
    }
}

@Suite struct `A device address` {
    @Test func `is printed in the form in which it is written`() {
        #expect(DeviceAddress("f0:0d:BE:ac:01:ff")?.description == "F0:0D:BE:AC:01:FF")
    }

    @Test func `has neighbours without carry`() {
        let last = DeviceAddress("F0:0D:BE:AC:01:FF")
        #expect(last?.neighbour(1) == DeviceAddress("F0:0D:BE:AC:01:00"))
        #expect(last?.neighbour(1).neighbour(-1) == last)
    }

    @Test(arguments: [
        "", "F0:0D:BE:AC:01", "F0:0D:BE:AC:01:0", "F0:0D:BE:AC:01:000", "G0:0D:BE:AC:01:00", "::::::",
    ])
    func `is refused when it is not six bytes`(_ text: String) {
        #expect(DeviceAddress(text) == nil)
    }
}
