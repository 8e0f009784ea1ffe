/// An injected fault of a KBeacon's session. All numbers count from 1 over its life.
public enum KBeaconFault: Hashable, Sendable {
    /// It sends nothing more on the link of this handshake after this step: 1 the client's number, 2 the response to
    /// it, 3 the client's digest, 4 the response to that.
    case silence(afterStep: Int, ofHandshake: Int)
    /// The link of this handshake ends after this step.
    case cut(afterStep: Int, ofHandshake: Int)
    /// It does not know the password: its digests are wrong.
    case impostor
    /// The digest of this handshake is refused with `F1` although it is correct.
    case refuseDigest(Int)
    /// This command is not carried out, but answered with this cause.
    case refuseCommand(Int, cause: UInt16)
    /// No command is carried out; each is answered with this cause.
    case refuseCommands(cause: UInt16)
    /// The link ends at this command, which is not carried out.
    case cutBeforeCommand(Int)
    /// This command is carried out, then the link ends without a response.
    case cutAfterCommand(Int)
    /// This command is carried out without a response.
    case loseAnswer(Int)
    /// A new password is stored with its characters reversed.
    case garblePassword
    /// This acknowledgement with cause 4 requests the piece at another offset.
    case askWrongOffset(Int, UInt16)
    /// This value that it sends has inverted bits in this byte, counted from the end.
    case flipAnswer(Int, fromEnd: Int)
    /// This value that it sends is cut to this many bytes.
    case cutAnswer(Int, to: Int)
}
