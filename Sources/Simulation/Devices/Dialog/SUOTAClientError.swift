/// Something that a client of a SUOTA receiver must never do, although some receivers accept it (dialog-suota.md,
/// Receivers 58x, Receivers 68x and 69x).
public enum SUOTAClientError: String, CaseIterable, Hashable, Sendable {
    /// END directly after a start: 58x answers 02 and writes to a wrong place in flash.
    case endWithoutData = "END without data"
    /// END after END: 68x answers 04 after a successful first one.
    case endTwice = "END twice"
    /// END without a start.
    case endWithoutStart = "END without start"
    /// END while image bytes are missing: 58x does not count them.
    case endBeforeAllBlocks = "END before all blocks"
    /// PATCH_LEN 0: it would keep a 68x busy forever.
    case patchLengthZero = "PATCH_LEN 0"
    /// Data of the next block before the current one was answered.
    case blockBeforeAnswer = "block before answer"
    /// A second start on 68x without ABORT: it costs the receiver a buffer.
    case startWithoutAbort = "start without ABORT"
    /// Data over the channel after PATCH_LEN has selected the attributes.
    case channelInAttributeMode = "channel in GATT mode"
}

extension SUOTAClientError: ClientRule {
    var broken: BrokenRule {
        let (id, heading) =
            switch self {
            case .endWithoutData: ("end-without-data", "Receivers 58x")
            case .endTwice: ("end-twice", "Receivers 68x and 69x")
            case .endWithoutStart: ("end-without-start", "Commands")
            case .endBeforeAllBlocks: ("end-before-all-blocks", "Receivers 58x")
            case .patchLengthZero: ("patch-length-zero", "Receivers 68x and 69x")
            case .blockBeforeAnswer: ("block-before-answer", "Blocks")
            case .startWithoutAbort: ("start-without-abort", "Receivers 68x and 69x")
            case .channelInAttributeMode: ("channel-in-attribute-mode", "Channel")
            }
        return BrokenRule("suota-" + id, rawValue, in: "dialog-suota.md, \(heading)")
    }
}
