/// A fault to order of a Feasycom beacon's session, or of its receiver of updates. All numbers count from 1 over its life; packets are the whole
/// ones of a transfer.
public enum FBeaconFault: Hashable, Sendable {
    /// This opening of the AT engine, or entry into an update, finds another central's session.
    case busy(Int)
    /// This change of a setting is acknowledged, and not kept; all of them count, refused ones too.
    case forgetSetting(Int)
    /// This change of a setting, which may be right, is answered with `ERROR`.
    case refuseSetting(Int)
    /// This packet is answered with NAK although it is right, and not taken.
    case refusePacket(Int)
    /// The same from this packet on.
    case refuseFromPacket(Int)
    /// Ten NAKs are sent before the answer to this packet.
    case floodRefusals(Int)
    /// The answer to this packet is never sent.
    case loseAnswer(Int)
    /// The answer to this packet comes later.
    case delayAnswer(Int, by: Duration)
    /// The answer to this packet, which is treated as it should be, is another byte.
    case replaceAnswer(Int, with: UInt8)
    /// CAN is the answer to this packet.
    case cancelAtPacket(Int)
    /// This EOT is not heard.
    case ignoreEnd(Int)
    /// This EOT is answered with NAK.
    case refuseEnd(Int)
    /// The link ends when half of this packet has arrived.
    case cutInPacket(Int)
    /// Power is gone for a moment when half of this packet has arrived.
    case powerLossInPacket(Int)
    /// An image that is right is never installed.
    case keepOldApplication
}
