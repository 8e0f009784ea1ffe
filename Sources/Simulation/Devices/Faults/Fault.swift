/// An injected fault. All numbers count from 1 over the beacon's life, unless a case says otherwise.
///
/// Packets are those of the Attribute Protocol and, with SUOTA, those of the channel too.
public enum Fault: Hashable, Sendable {
    /// The link ends when this packet, of any kind, arrives; the packet is not processed.
    case cut(beforePacket: Int)
    /// The link ends after this packet is processed; its responses are lost.
    case cut(afterPacket: Int)
    /// This Write Command never arrives.
    case losePacket(Int)
    /// This percentage of Write Commands never arrives: without a pattern, but the same ones in every run.
    case losePackets(percent: Int)
    /// A Write Command that follows the previous one within this time never arrives.
    case loseQuickPackets(within: Duration)
    /// This notification is not sent.
    case loseNotification(Int)
    /// This notification is sent twice.
    case doubleNotification(Int)
    /// This notification is delayed.
    case delayNotification(Int, by: Duration)
    /// This notification is sent after the next one.
    case reorderNotification(Int)
    /// A short power loss after this packet is processed; the RAM is lost.
    case powerLoss(afterPacket: Int)
    /// This flash write of image bytes silently fails.
    case loseFlashWrite(Int)
    /// The program that accepts updates takes longer to start every time.
    case slowBootloader(Duration)
    /// It is out of reach between two times of its life, or from the first one on: it receives nothing and is not
    /// heard. A link ends when both sides have missed each other for 6 s.
    case away(from: Duration, until: Duration?)
    /// From this packet on, nothing is processed or sent until the link ends.
    case silence(fromPacket: Int)
    /// From this packet on, this fault of the Attribute Protocol is active.
    case attributeFault(AttributeFault, fromPacket: Int)
    /// A fault that only Nordic's bootloaders and receivers have.
    case nordic(NordicFault)
    /// A fault that only SUOTA receivers have.
    case suota(SUOTAFault)
    /// A fault that only sessions of KBeacons have.
    case kbeacon(KBeaconFault)
    /// A fault that only Feasycom beacons with updates have.
    case fbeacon(FBeaconFault)
    /// A fault that only Orange Beacon Tags have.
    case orange(OrangeTagFault)
}

extension [Fault] {
    /// Each fault once, in order: of two for the same moment, the first one applies.
    var distinct: [Fault] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }

    /// The flash writes of image bytes that fail.
    var lostFlashWrites: Set<Int> {
        Set(compactMap { if case .loseFlashWrite(let number) = $0 { number } else { nil } })
    }
}
