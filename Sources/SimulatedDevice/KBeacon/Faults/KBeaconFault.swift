/// A fault to order of a KBeacon's session. All numbers count from 1 over its life.
public enum KBeaconFault: Hashable, Sendable {
    /// Nothing is said any more on the link of this handshake, after this step of it: 1 the client's number, 2 the answer
    /// to it, 3 the client's digest, 4 the answer to that.
    case silence(afterStep: Int, ofHandshake: Int)
    /// That link ends after this step.
    case cut(afterStep: Int, ofHandshake: Int)
    /// It is not who it says: its digests are wrong.
    case impostor
    /// The digest of this handshake is refused with `F1` although it is right.
    case refuseDigest(Int)
    /// This command is not carried out but answered with this cause.
    case refuseCommand(Int, cause: UInt16)
    /// No command is carried out; each is answered with this cause.
    case refuseCommands(cause: UInt16)
    /// The link ends at this command, which is not carried out.
    case cutBeforeCommand(Int)
    /// This command is carried out, and then the link ends without an answer.
    case cutAfterCommand(Int)
    /// This command is carried out, and not answered.
    case loseAnswer(Int)
    /// A new password is kept with its characters in the other order.
    case garblePassword
    /// This acknowledgement with cause 4 asks for the piece at another offset.
    case askWrongOffset(Int, UInt16)
    /// This value that it sends has other bits in this byte, counted from its end.
    case flipAnswer(Int, fromEnd: Int)
    /// Of this value that it sends only so many bytes are left.
    case cutAnswer(Int, to: Int)
}
