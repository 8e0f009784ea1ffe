struct FBeaconFaultPlan: Sendable {
    private let faults: [FBeaconFault]
    private var midway = MidwayFaults()

    init(_ faults: [Fault]) {
        self.faults = faults.distinct.compactMap { if case .fbeacon(let fault) = $0 { fault } else { nil } }
    }

    func has(_ fault: FBeaconFault) -> Bool { faults.contains(fault) }

    func refuses(packet: Int) -> Bool {
        faults.contains {
            switch $0 {
            case .refusePacket(packet): true
            case .refuseFromPacket(let first): packet >= first
            default: false
            }
        }
    }

    func delay(ofAnswerTo packet: Int) -> Duration {
        faults.reduce(.zero) { if case .delayAnswer(packet, let time) = $1 { $0 + time } else { $0 } }
    }

    func answer(to packet: Int) -> UInt8? {
        for case .replaceAnswer(packet, let byte) in faults { return byte }
        return nil
    }

    mutating func linkFault(in packet: Int) -> LinkFault? {
        midway.linkFault(losingPower: has(.powerLossInPacket(packet)), cutting: has(.cutInPacket(packet)))
    }
}

/// An injected fault of a Feasycom beacon's session or update receiver. "This" event is the one with the given number,
/// counted from 1 over the beacon's life; packets are the complete ones of a transfer.
public enum FBeaconFault: Hashable, Sendable {
    /// This opening of the AT engine, or entry into an update, finds the session of another central.
    case busy(Int)
    /// This change of a setting is acknowledged but not stored; refused changes count too.
    case forgetSetting(Int)
    /// This change of a setting is answered with `ERROR`, even if it is valid.
    case refuseSetting(Int)
    /// This packet is answered with NAK although it is valid, and is not accepted.
    case refusePacket(Int)
    /// From this packet on, every packet is answered with NAK although it is valid, and is not accepted.
    case refuseFromPacket(Int)
    /// Ten NAKs are sent before the response to this packet.
    case floodRefusals(Int)
    /// The response to this packet is never sent.
    case loseAnswer(Int)
    /// The response to this packet is delayed.
    case delayAnswer(Int, by: Duration)
    /// The response to this packet, which is processed normally, is another byte.
    case replaceAnswer(Int, with: UInt8)
    /// CAN is the response to this packet.
    case cancelAtPacket(Int)
    /// This EOT is ignored.
    case ignoreEnd(Int)
    /// This EOT is answered with NAK.
    case refuseEnd(Int)
    /// The link ends when half of this packet has arrived.
    case cutInPacket(Int)
    /// A short power loss when half of this packet has arrived.
    case powerLossInPacket(Int)
    /// A valid image is never installed.
    case keepOldApplication
}
