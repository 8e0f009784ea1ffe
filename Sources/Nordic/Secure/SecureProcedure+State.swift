import UpdateModel

extension SecureProcedure {
    struct LinkState: Sendable {
        var pacing = ConversationTiming()
        /// Packets per receipt, as set on the device; nil before that.
        var receiptInterval: Int?
        /// The response to Select for the init packet, kept during the request for the protocol version.
        var initSelection: SecureSelection?
        /// Whether the device already had the init packet, because this update was started before.
        var hadInitPacket = false
        var objectMaximum = 4096
        var transfer: SecureTransfer
        var settings = SettingsWork.none
        /// When the flash has written what the last Execute queued without waiting; nil once Create has queued more.
        var flashIdle: Duration?
        /// The number of Executes without a response. A late response to one looks like the response to the next.
        var unansweredExecutes = 0
        /// The refusal of the last Execute, which is repeated once; nil if there was none.
        var imageRefusal: UpdateFailure?

        init(_ image: SecureImage) { transfer = image.initTransfer }

        /// Records a missing response: a current measurement is invalid, because it would include our own timeout.
        mutating func noteSilence() {
            pacing.noteSilence()
            if case .underWay(let start, isNew: true) = settings {
                settings = .underWay(since: start, isNew: false)
            }
        }

        /// Records the time of a notification, whatever its content, and counts responses to Execute.
        mutating func noteAnswer(_ bytes: [UInt8]) {
            pacing.noteAnswer()
            guard SecureAnswer(bytes)?.opcode == SecureRequest.executeOpcode else { return }
            unansweredExecutes = max(0, unansweredExecutes - 1)
        }
    }

    struct UpdateState: Sendable {
        var held = HeldFirmware()
        var restarts = 0
        /// The device did not respond to a flash barrier, or refused it.
        var hasBarrierFailed = false
        /// The device has refused the whole image once, and it is sent again.
        var hasRefusedImage = false
        /// Whether the device has executed an init packet in this update, so that what it holds belongs to it.
        var hasExecutedInit = false
        /// The known effect on the application; nil before anything was changed.
        var effect: DeviceState.Application?
        /// Whether an Execute of the init packet has no response yet.
        var isInitInDoubt = false
    }

    /// The settings that Execute(init) has queued for the flash, until a data Execute has waited for them.
    enum SettingsWork: Equatable, Sendable {
        case none
        /// The init packet is new to the device, so that Execute will write settings.
        case expected
        case underWay(since: Duration, isNew: Bool)

        var areUnderWay: Bool { if case .underWay = self { true } else { false } }
    }
}
