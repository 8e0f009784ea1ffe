extension IntelHexFile {
    /// The start of Nordic's user configuration registers; a bootloader cannot write them.
    static let registers: UInt64 = 0x1000_0000

    /// The end of the registers of all chips of the family: FICR, UICR and what nRF53 and nRF91 have there.
    static let registersEnd: UInt64 = 0x1100_0000

    /// The image for a Nordic package: without the master boot record and the registers, from its lowest
    /// address, rounded up to 4 bytes with FF (intel-hex.md, Flattening). Data outside of these and of the
    /// flash is an error, so that nothing is dropped silently.
    public func nordicImage() throws(HexError) -> FlatImage {
        for region in regions {
            let isRegister = UInt64(region.address) >= Self.registers
            guard region.end <= (isRegister ? Self.registersEnd : Self.registers) else {
                let border = isRegister ? max(UInt64(region.address), Self.registersEnd) : Self.registers
                throw HexError(.outsideFlash(address: UInt32(clamping: border)))
            }
        }
        return try withoutRegisters.flattened(alignment: 4)
    }

    /// The part that goes into the image for a Nordic package.
    public var withoutRegisters: IntelHexFile { confined(to: masterBootRecordEnd..<Self.registers) }

    /// 1000, or 3000 with SoftDevices whose information structure is one to four pages higher.
    var masterBootRecordEnd: UInt64 {
        let page: UInt64 = 0x1000
        guard !hasSoftDeviceMark(at: 0x3004) else { return page }
        return (1...4).contains { hasSoftDeviceMark(at: 0x3004 + $0 * page) } ? 0x3000 : page
    }

    private func hasSoftDeviceMark(at address: UInt64) -> Bool {
        bytes(at: address..<address + 4)?.elementsEqual([0xDB, 0xE5, 0xB1, 0x51]) == true
    }
}
