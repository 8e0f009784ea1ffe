/// Something a device gets wrong, or says on purpose, below its update service: in the Attribute Protocol itself.
///
/// What is under the liar goes on as if nothing were: a lie changes packets, never the device.
public enum AttributeFault: Hashable, Sendable {
    // MARK: Answers

    /// Exchange MTU Response names this MTU, whatever both ends agree on.
    case mtu(UInt16)
    /// Every answer is cut to its opcode.
    case shortAnswers
    /// Every answer is filled up to 600 bytes, beyond any MTU.
    case longAnswers
    /// The length of an entry, or the format, that a list begins with is this.
    case entryLength(UInt8)
    /// Every answer has the opcode of another request's.
    case wrongOpcodes
    /// Every answer comes twice.
    case doubleAnswers
    /// A Write Response goes before every answer.
    case unaskedAnswers
    /// Before every answer comes an error to a request that nobody has made.
    case foreignErrors
    /// Such an error comes in place of every answer.
    case onlyForeignErrors
    /// Every request is refused with this code.
    case refusals(UInt8)
    /// Every answer comes so much later.
    case lateAnswers(Duration)
    /// Every read is answered with as much as fits, without an end.
    case endlessValues

    // MARK: Discovery

    /// Every handle is a service of its own.
    case manyServices
    /// Services reach to FFFF, and every handle in them is a characteristic and a descriptor.
    case manyAttributes
    /// A list has one entry an answer.
    case oneEntryAnAnswer
    /// All services, and all characteristics, have the UUID of the first in the answer.
    case equalUUIDs
    /// Every handle in a list is this.
    case listHandles(UInt16)
    /// Every list begins again with its first answer.
    case backwards

    // MARK: Without being asked

    /// Notifications of a handle that was never heard of, without an end.
    case strangeNotifications
    /// Notifications of the characteristic that was subscribed to last, without an end and without a sense.
    case senselessNotifications
    /// Indications, without an end and without waiting for a confirmation.
    case indications
    /// Requests of its own, known and unknown, without an end.
    case requests
}
