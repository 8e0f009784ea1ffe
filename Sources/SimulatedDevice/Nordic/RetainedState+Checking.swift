extension RetainedState {
    /// A number in a retained state that no beacon could have left.
    public struct Flaw: Error, Hashable, Sendable, CustomStringConvertible {
        /// The number's name.
        public let field: String

        /// One line for people.
        public var description: String { "not a beacon's state: \(field) is impossible" }
    }

    /// The state as it was kept, unless there is a number in it that suits no beacon at all.
    public init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        program = try keys.decode(Restart.Program.self, forKey: .program)
        page = try keys.decode(BootloaderSettings.self, forKey: .page)
        settings = try keys.decode(BootloaderSettings.self, forKey: .settings)
        memory = try keys.decode(BootloaderMemory.self, forKey: .memory)
        kbeacon = try keys.decodeIfPresent(KBeaconMemory.self, forKey: .kbeacon)
        try check(in: FlashLayout(size: 1 << 24, applicationStart: 0))
    }

    /// Refuses a state that a beacon with a flash like `layout` could not have left.
    public func check(in layout: FlashLayout) throws(Flaw) {
        try page.check(in: layout)
        try settings.check(in: layout)
        try memory.progress.check(in: layout, at: settings.updateAddress)
        if memory.progress.isInitValid {
            try memory.progress.initPacket.checkImage(in: layout, at: settings.updateAddress)
        }
        try Flaw.unless((0...Int(UInt16.max)).contains(memory.leakedBuffers), "leakedBuffers")
        let room = layout.bootloaderStart - max(settings.updateAddress, layout.applicationStart)
        try Flaw.unless(memory.ring?.isPossible(in: room) ?? true, "ring")
    }
}

extension RetainedState.Flaw {
    /// The longest init packet that is kept: what a page holds.
    fileprivate static let longestInit = FlashModel.pageSize

    fileprivate static func unless(_ isPossible: Bool, _ field: String) throws(Self) {
        guard isPossible else { throw Self(field: field) }
    }
}

extension BootloaderSettings {
    fileprivate func check(in layout: FlashLayout) throws(RetainedState.Flaw) {
        let flash = layout.applicationStart...layout.bootloaderStart
        let room = flash.upperBound - flash.lowerBound
        try RetainedState.Flaw.unless((0...room).contains(applicationSize), "applicationSize")
        // 0 before the first update.
        let isUnused = updateAddress == 0 && initPacket.isEmpty
        try RetainedState.Flaw.unless(isUnused || flash.contains(updateAddress), "updateAddress")
        let end = flash.upperBound - max(updateAddress, flash.lowerBound)
        try RetainedState.Flaw.unless((0...end).contains(executedOffset), "executedOffset")
        try RetainedState.Flaw.unless(initPacket.count <= RetainedState.Flaw.longestInit, "initPacket")
        try initPacket.checkImage(in: layout, at: updateAddress)
        guard let activation else { return }
        try RetainedState.Flaw.unless(flash.contains(activation.address), "activation.address")
        let rest = flash.upperBound - activation.address
        try RetainedState.Flaw.unless((0...rest).contains(activation.size), "activation.size")
        let second = activation.bootloaderSize ?? 0
        try RetainedState.Flaw.unless((0...activation.size).contains(second), "activation.bootloaderSize")
    }
}

extension UpdateProgress {
    fileprivate func check(in layout: FlashLayout, at address: Int) throws(RetainedState.Flaw) {
        let room = layout.bootloaderStart - max(address, layout.applicationStart)
        try RetainedState.Flaw.unless((0...RetainedState.Flaw.longestInit).contains(initSize), "initSize")
        try RetainedState.Flaw.unless(initPacket.count <= initSize, "initPacket")
        try RetainedState.Flaw.unless((0...room).contains(executedOffset), "executedOffset")
        try RetainedState.Flaw.unless((0...room - executedOffset).contains(objectSize), "objectSize")
        let object = executedOffset...executedOffset + objectSize
        try RetainedState.Flaw.unless(object.contains(offset), "offset")
    }
}

extension [UInt8] {
    /// Refuses an executed init packet whose image would run into the bootloader.
    fileprivate func checkImage(in layout: FlashLayout, at address: Int) throws(RetainedState.Flaw) {
        for rules in [InitRules(), .sdk15_0, .sdk14] {
            guard let packet = try? InitPacketDecoder.decode(self, rules) else { continue }
            try RetainedState.Flaw.unless(
                packet.imageSize <= layout.bootloaderStart - address, "initPacket")
        }
    }
}
