extension IntelHexFile {
    /// Where Nordic's user configuration registers begin; a bootloader cannot write them.
    static let registers: UInt64 = 0x1000_0000

    /// The image that a Nordic package takes: without the master boot record and the registers, from its lowest
    /// address, rounded up to 4 bytes with FF (intel-hex.md, Flattening).
    public func nordicImage() throws(HexError) -> FlatImage {
        try confined(to: masterBootRecordEnd..<Self.registers).flattened(alignment: 4)
    }

    /// 1000, or 3000 with those SoftDevices whose information structure lies one to four pages higher.
    var masterBootRecordEnd: UInt64 {
        let page: UInt64 = 0x1000
        guard !hasSoftDeviceMark(at: 0x3004) else { return page }
        return (1...4).contains { hasSoftDeviceMark(at: 0x3004 + $0 * page) } ? 0x3000 : page
    }

    private func hasSoftDeviceMark(at address: UInt64) -> Bool {
        bytes(at: address..<address + 4)?.elementsEqual([0xDB, 0xE5, 0xB1, 0x51]) == true
    }
}
