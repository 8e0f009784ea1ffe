import UpdateModel

/// State of the procedure, grouped by lifetime.
extension SecureProcedure {
    /// State of one link.
    struct LinkState: Sendable {
        var pacing = ConversationTiming()
        /// Packets per receipt, as set on the device; nil before that.
        var receiptInterval: Int?
        /// The selection with the init packet that the device holds, while other requests are sent.
        var heldInit: SecureSelection?
        /// The device had the init packet already: this update was started before.
        var hasFoundInit = false
        var objectMaximum = 4096
        var transfer: SecureTransfer
        var settings = SettingsWork.none
        /// When the flash has written what the last Execute queued, on a device whose Execute does not wait for it;
        /// nil once something else was queued.
        var flashIdle: Duration?
        /// The number of Executes without a response. A late response to one of them would look like the response to
        /// the last.
        var unansweredExecutes = 0
        /// The response to the last Execute, which is tried once more.
        var refusedWhole: UpdateFailure?

        init(_ image: SecureImage) { transfer = image.initTransfer }

        /// A response is missing. A measurement under way is void: it would be the length of our own timeout.
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

    /// State over all links.
    struct UpdateState: Sendable {
        var held = HeldFirmware()
        /// How often the device was told to discard what it has.
        var restarts = 0
        /// The device did not respond to a flash barrier, or refused it.
        var hasBarrierFailed = false
        /// The device has refused the whole image once, and it is sent again.
        var hasFailedWhole = false
        /// The known effect on the application; nil before anything was changed.
        var effect: DeviceState.Application?
        /// There was no response to Execute of the init packet.
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
