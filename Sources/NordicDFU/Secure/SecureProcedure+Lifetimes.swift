import FirmwareModel
import UpdateCore

/// What stands beside the state, by how long it holds.
extension SecureProcedure {
    /// What holds on one link.
    struct LinkState: Sendable {
        var pacing = ConversationTiming()
        /// Packets per receipt, as the device was told; nil before that.
        var receiptInterval: Int?
        /// What the device has said of the init packet that it holds, while it is asked something else.
        var heldInit: SecureSelection?
        /// The init packet was there already: somebody has begun this update before.
        var hasFoundInit = false
        var objectMaximum = 4096
        var transfer: SecureTransfer
        var settings = SettingsWork.none
        /// When the flash has written what the last Execute has queued, on a device whose Execute does not wait for
        /// it; nil once something else was queued.
        var flashIdle: Duration?
        /// Executes whose answers were not seen. Should one of them come late, it would look like the answer to the
        /// last Execute.
        var unansweredExecutes = 0
        /// What the device has said to the last Execute, which is tried once more.
        var refusedWhole: UpdateFailure?

        init(_ image: SecureImage) { transfer = image.initTransfer }

        /// An answer did not come. What was being measured is spoiled: it would be the length of our own patience.
        mutating func noteSilence() {
            pacing.noteSilence()
            if case .underWay(let start, isNew: true) = settings {
                settings = .underWay(since: start, isNew: false)
            }
        }

        /// A notification has come, whatever it answers.
        mutating func noteAnswer(_ bytes: [UInt8]) {
            pacing.noteAnswer()
            guard SecureAnswer(bytes)?.opcode == SecureRequest.executeOpcode else { return }
            unansweredExecutes = max(0, unansweredExecutes - 1)
        }
    }

    /// What holds over all links.
    struct UpdateState: Sendable {
        var held = HeldFirmware()
        /// How often the device was told to forget what it has.
        var restarts = 0
        /// The device did not answer a flash barrier, or refused it.
        var hasBarrierFailed = false
        /// The device has refused the whole image once, and it was sent again.
        var hasFailedWhole = false
        /// What was made of the application, as far as answers tell; nil before anything was changed.
        var effect: DeviceState.Application?
        /// Execute of the init packet was not answered.
        var isInitInDoubt = false
    }

    /// What Execute(init) has queued for the flash, until a data Execute has waited for it.
    enum SettingsWork: Equatable, Sendable {
        case none
        /// The init packet is new to the device, so that executing it will surely write settings.
        case expected
        case underWay(since: Duration, isNew: Bool)

        var areUnderWay: Bool { if case .underWay = self { true } else { false } }
    }
}
