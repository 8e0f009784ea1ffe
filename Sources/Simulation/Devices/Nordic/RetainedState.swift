/// The state that a beacon resumes from after an earlier run of the program, except the bytes of its flash.
public struct RetainedState: Codable, Hashable, Sendable {
    package var program: Restart.Program
    /// The settings page in flash: versions, executed init packet, sizes.
    package var page: BootloaderSettings
    /// The settings in the bootloader's RAM.
    package var settings: BootloaderSettings
    /// The rest of the bootloader's RAM: progress, current object, PRN.
    package var memory: BootloaderMemory
    var kbeacon: KBeaconMemory?

    init(_ bootloader: some Bootloader, _ program: Restart.Program, _ kbeacon: KBeaconMemory? = nil) {
        self.kbeacon = kbeacon
        self.program = program
        page = bootloader.settledSettings
        settings = bootloader.settings
        memory = bootloader.memory
    }

    /// A number in a stored state that no beacon could have left.
    package struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
        package let field: String

        package var description: String { "not a beacon's state: \(field) is impossible" }
    }

    /// Decodes a stored state; refuses numbers that no beacon can have.
    public init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        program = try keys.decode(Restart.Program.self, forKey: .program)
        page = try keys.decode(BootloaderSettings.self, forKey: .page)
        settings = try keys.decode(BootloaderSettings.self, forKey: .settings)
        memory = try keys.decode(BootloaderMemory.self, forKey: .memory)
        kbeacon = try keys.decodeIfPresent(KBeaconMemory.self, forKey: .kbeacon)
        try check(in: FlashLayout(size: 1 << 24, applicationStart: 0))
    }

    package func check(in layout: FlashLayout) throws(Invalid) {
        try page.check(in: layout)
        try settings.check(in: layout)
        try memory.progress.check(in: layout, at: settings.updateAddress)
        if memory.progress.isInitValid {
            try memory.progress.initPacket.checkImage(in: layout, at: settings.updateAddress)
        }
        try require((0...Int(UInt16.max)).contains(memory.leakedBuffers), "leakedBuffers")
        let room = layout.bootloaderStart - max(settings.updateAddress, layout.applicationStart)
        try require(memory.ring?.isPossible(in: room) ?? true, "ring")
    }
}

/// The longest init packet that is stored: one page.
private let longestInit = FlashModel.pageSize

private func require(_ isPossible: Bool, _ field: String) throws(RetainedState.Invalid) {
    guard isPossible else { throw RetainedState.Invalid(field: field) }
}

extension BootloaderSettings {
    fileprivate func check(in layout: FlashLayout) throws(RetainedState.Invalid) {
        let flash = layout.applicationStart...layout.bootloaderStart
        let room = flash.upperBound - flash.lowerBound
        try require((0...room).contains(applicationSize), "applicationSize")
        // Before the first update, the address is 0.
        let isUnused = updateAddress == 0 && initPacket.isEmpty
        try require(isUnused || flash.contains(updateAddress), "updateAddress")
        let end = flash.upperBound - max(updateAddress, flash.lowerBound)
        try require((0...end).contains(executedOffset), "executedOffset")
        try require(initPacket.count <= longestInit, "initPacket")
        try initPacket.checkImage(in: layout, at: updateAddress)
        guard let activation else { return }
        try require(flash.contains(activation.address), "activation.address")
        let rest = flash.upperBound - activation.address
        try require((0...rest).contains(activation.size), "activation.size")
        let second = activation.bootloaderSize ?? 0
        try require((0...activation.size).contains(second), "activation.bootloaderSize")
    }
}

extension UpdateProgress {
    fileprivate func check(in layout: FlashLayout, at address: Int) throws(RetainedState.Invalid) {
        let room = layout.bootloaderStart - max(address, layout.applicationStart)
        try require((0...longestInit).contains(initSize), "initSize")
        try require(initPacket.count <= initSize, "initPacket")
        try require((0...room).contains(executedOffset), "executedOffset")
        try require((0...room - executedOffset).contains(objectSize), "objectSize")
        let object = executedOffset...executedOffset + objectSize
        try require(object.contains(offset), "offset")
    }
}

extension [UInt8] {
    /// Refuses an executed init packet whose image would overlap the bootloader.
    fileprivate func checkImage(in layout: FlashLayout, at address: Int) throws(RetainedState.Invalid) {
        for rules in [InitRules(), .sdk15_0, .sdk14] {
            guard let packet = try? InitPacketDecoder.decode(self, rules) else { continue }
            try require(packet.imageSize <= layout.bootloaderStart - address, "initPacket")
        }
    }
}
