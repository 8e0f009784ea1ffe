/// The injected faults of a Feasycom beacon, and which of them are due.
struct FBeaconFaultPlan: Sendable {
    private let faults: [FBeaconFault]
    private var hasLostPower = false
    private var hasCut = false

    init(_ faults: [Fault]) {
        self.faults = faults.distinct.compactMap { if case .fbeacon(let fault) = $0 { fault } else { nil } }
    }

    func has(_ fault: FBeaconFault) -> Bool { faults.contains(fault) }

    /// Whether this valid packet is answered with NAK.
    func refuses(packet: Int) -> Bool {
        faults.contains {
            switch $0 {
            case .refusePacket(packet): true
            case .refuseFromPacket(let first): packet >= first
            default: false
            }
        }
    }

    /// The delay of the response to this packet.
    func delay(ofAnswerTo packet: Int) -> Duration {
        faults.reduce(.zero) { if case .delayAnswer(packet, let time) = $1 { $0 + time } else { $0 } }
    }

    /// The response to this packet instead of the correct one; nil for the correct one.
    func answer(to packet: Int) -> UInt8? {
        for case .replaceAnswer(packet, let byte) in faults { return byte }
        return nil
    }

    /// The fault that strikes now that half of this packet has arrived.
    mutating func linkFault(in packet: Int) -> LinkFault? {
        if !hasLostPower, has(.powerLossInPacket(packet)) {
            hasLostPower = true
            return .powerLoss
        }
        guard !hasCut, has(.cutInPacket(packet)) else { return nil }
        hasCut = true
        return .cut
    }
}
