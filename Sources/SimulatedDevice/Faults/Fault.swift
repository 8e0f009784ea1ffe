/// A fault to order. All numbers count from 1 over the beacon's life, except where a case says otherwise.
///
/// Packets are those of the Attribute Protocol and, with SUOTA, those of the channel too.
public enum Fault: Hashable, Sendable {
    /// The link ends when this packet, of any kind, arrives; it is not processed.
    case cut(beforePacket: Int)
    /// The link ends when this packet has been processed; its answers are lost.
    case cut(afterPacket: Int)
    /// This Write Command never arrives.
    case losePacket(Int)
    /// So many Write Commands of a hundred never arrive: which ones has no pattern, and is the same in every run.
    case losePackets(percent: Int)
    /// A Write Command that comes sooner than this after the one before never arrives.
    case loseQuickPackets(within: Duration)
    /// This notification is not sent.
    case loseNotification(Int)
    /// This notification is sent twice.
    case doubleNotification(Int)
    /// This notification comes later.
    case delayNotification(Int, by: Duration)
    /// This notification comes after the next one.
    case reorderNotification(Int)
    /// Power is gone for a moment when this packet has been processed, and the RAM with it.
    case powerLoss(afterPacket: Int)
    /// This write of image bytes to flash is given up silently.
    case loseFlashWrite(Int)
    /// What takes updates takes longer to appear whenever it starts.
    case slowBootloader(Duration)
    /// It is out of reach from one moment after the begin of its life until another, or for good: it hears nothing and is not
    /// heard. A link ends when both have missed each other for 6 s.
    case away(from: Duration, until: Duration?)
    /// From this packet on nothing is processed or sent until the link ends.
    case silence(fromPacket: Int)
    /// From this packet on this lie is told.
    case attributeFault(AttributeFault, fromPacket: Int)
    /// One that only Nordic's bootloaders and receivers can have.
    case nordic(NordicFault)
    /// One that only receivers of SUOTA can have.
    case suota(SUOTAFault)
    /// One that only sessions of KBeacons can have.
    case kbeacon(KBeaconFault)
    /// One that only Feasycom beacons that take updates can have.
    case fbeacon(FBeaconFault)
    /// One that only Orange Beacon Tags can have.
    case orange(OrangeTagFault)
}

extension [Fault] {
    /// Each fault once, in order: of two for the same moment the first is the one that counts.
    var distinct: [Fault] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }

    /// The writes of image bytes that flash gives up.
    var lostFlashWrites: Set<Int> {
        Set(compactMap { if case .loseFlashWrite(let number) = $0 { number } else { nil } })
    }
}
