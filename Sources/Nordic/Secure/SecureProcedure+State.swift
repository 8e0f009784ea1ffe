import UpdateModel

extension SecureProcedure {
    struct LinkState: Sendable {
        var pacing = ConversationTiming()
        /// Packets per receipt, as set on the device; nil before that.
        var receiptInterval: Int?
        /// The response to Select for the init packet, kept while the protocol version is asked for.
        var heldInit: SecureSelection?
        /// Whether the device already had the init packet, because this update was started before.
        var hasFoundInit = false
        var objectMaximum = 4096
        var transfer: SecureTransfer
        var settings = SettingsWork.none
        /// When the flash has written what the last Execute queued without waiting; nil once something else was queued.
        var flashIdle: Duration?
        /// The number of Executes without a response. A late response to one looks like the response to the last.
        var unansweredExecutes = 0
        /// The refusal of the image's last Execute, which is repeated once; nil without one.
        var refusedWhole: UpdateFailure?

        init(_ image: SecureImage) { transfer = image.initTransfer }

        /// Records a missing response, which makes a measurement under way invalid: it would measure our own timeout.
        mutating func noteSilence() {
            pacing.noteSilence()
            if case .underWay(let start, isNew: true) = settings {
                settings = .underWay(since: start, isNew: false)
            }
        }

        /// Records that a notification has come, whatever its content.
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
        var hasFailedWhole = false
        /// Whether the device has executed an init packet in this update, so that what it holds belongs to it.
        var hasExecutedInit = false
        /// The known effect on the application; nil before anything was changed.
        var effect: DeviceState.Application?
        /// Whether an Execute of the init packet has no response yet.
        var isInitInDoubt = false
    }

    /// What Execute(init) has queued for the flash, until a data Execute has waited for it.
    enum SettingsWork: Equatable, Sendable {
        case none
        /// The init packet is new to the device, so that Execute will write settings.
        case expected
        case underWay(since: Duration, isNew: Bool)

        var areUnderWay: Bool { if case .underWay = self { true } else { false } }
    }
}
