import Bluetooth
import Bytes
import UpdateModel

/// The update of a Marble beacon, as a value (README.md, On the air): header, windows, check, start.
struct MarbleProcedure: UpdateProcedure {
    private enum State: Equatable {
        case idle
        case subscribing
        case trimming
        case announcing
        case sending(upTo: Int)
        case awaiting(Int)
        case checking
        case starting
        case finished
    }

    private static let window = 1024
    private static let timeout = Duration.seconds(10)
    private static let mostRepeats = 3

    private let file: MarbleFile
    private let options: UpdateOptions
    private var state = State.idle
    private var position = 0
    private var packetLength = 20
    /// Repetitions since the last window that arrived.
    private var repeats = 0
    /// The windows that the device is still to be told to keep.
    private var windowsKept: UInt8?

    var receiver = Receiver.application

    init(_ file: MarbleFile, _ options: UpdateOptions) {
        self.file = file
        self.options = options
        windowsKept = options[MarbleOptions.self].windowsKept
    }

    var total: Int { file.body.count }
    var targetSignature: TargetSignature { .application(MarbleService.header) }
    var applicationAddresses: Set<ExpectedAddress> { [.sameAddress] }
    var expectedVersion: ExpectedVersion? { ExpectedVersion(text: options.versionText ?? file.version) }
    /// Whole windows are kept, over a loss of power too.
    var resumes: Bool { true }
    var mayMove: Bool { false }
    var inactivityLimit: Duration? { nil }
    var part: UpdatePart? { nil }

    /// The old application runs until a checked one is started.
    var effectOnApplication: DeviceState.Application? {
        switch state {
        case .idle, .subscribing: nil
        case .trimming, .announcing, .sending, .awaiting, .checking: .intact
        case .starting: .unknown
        case .finished: .new
        }
    }

    mutating func begin(on link: LinkFacts) throws(UpdateFailure) -> UpdateStep {
        packetLength = link.maximumWriteLength
        state = .subscribing
        return UpdateStep(.subscribe(MarbleService.state), notices: [.phase(.preparing)])
    }

    mutating func note(_ times: CommandTimes) {}

    mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> UpdateStep {
        switch (state, outcome) {
        case (.subscribing, .done):
            guard let windowsKept else { return announce() }
            state = .trimming
            return UpdateStep(.write([0x03, windowsKept], on: MarbleService.command), waitsFor: .flash)
        case (.trimming, .done):
            windowsKept = nil
            return announce()
        case (.announcing, .value(let bytes)): return try sendNextWindow(from: try held(bytes))
        case (.sending(let end), .done):
            state = .awaiting(end)
            return UpdateStep(
                .expect(from: MarbleService.state, within: Self.timeout), waitsFor: .flash, endsBlock: true)
        case (.awaiting(let end), .value(let bytes)):
            guard try held(bytes) == end else { return try again() }
            repeats = 0
            var step = try sendNextWindow(from: end)
            step.notices.insert(.accepted(upTo: end), at: 0)
            return step
        case (.awaiting, .timedOut): return try again()
        case (.checking, .value(let bytes)): return try start(after: bytes)
        case (.starting, .done), (.starting, .refused):
            state = .finished
            return UpdateStep(.end(.complete(completion)))
        case (.announcing, .timedOut), (.checking, .timedOut):
            throw UpdateFailure(
                .device.noAnswer, during: step, message: "the device did not answer in time",
                mayReconnect: true)
        default: throw unexpected("\(outcome)")
        }
    }

    /// Before the start the device keeps its data; after it, it restarts.
    var disconnectMeaning: DisconnectMeaning {
        switch state {
        case .starting, .finished: .perhapsDone(completion)
        default: .mustContinue
        }
    }

    func meansInstalled(_ failure: UpdateFailure) -> Bool { false }
    func remedy(for failure: UpdateFailure) -> Advice? { nil }

    /// A running version that is the same, and another board.
    func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] {
        if let board = running.hardware, file.board != 0, board != "\(file.board)" {
            throw otherBoard(board)
        }
        guard running.version == file.version, !options.risks.contains(.sameVersion) else { return [] }
        throw UpdateFailure(
            .device.sameVersion, during: "asking the application",
            message: "the application says that it is version \(file.version) already; nothing was sent")
    }
}

extension MarbleProcedure {
    /// Announces the image to the device, which reports how much of it is there.
    private mutating func announce() -> UpdateStep {
        state = .announcing
        return UpdateStep(
            .request(
                file.header, on: MarbleService.header, answerOn: MarbleService.state, within: Self.timeout),
            waitsFor: .flash)
    }

    private func held(_ bytes: [UInt8]) throws(UpdateFailure) -> Int {
        switch MarbleAnswer(bytes) {
        case .holds(let count) where count <= total: return count
        case .otherBoard(let board): throw otherBoard("\(board)")
        case .noRoom(let room):
            throw UpdateFailure(
                .device.insufficientSpace, during: step,
                message: "the device has room for \(room) bytes, and \(total) are to be sent")
        default: throw unexpected(HexText.encode(bytes))
        }
    }

    /// The next window; after the last one the check.
    private mutating func sendNextWindow(from offset: Int) throws(UpdateFailure) -> UpdateStep {
        var notices: [UpdateNotice] = []
        if state == .announcing {
            if offset > 0 || position > 0 { notices.append(.resumed(at: offset)) }
            notices.append(.phase(.transferring))
        }
        position = offset
        guard position < total else {
            state = .checking
            return UpdateStep(
                .request(
                    [0x01] + file.header[12..<16], on: MarbleService.command, answerOn: MarbleService.state,
                    within: Self.timeout), notices: notices + [.phase(.activating)], waitsFor: .flash)
        }
        let end = min((position / Self.window + 1) * Self.window, total)
        state = .sending(upTo: end)
        return UpdateStep(
            .stream(
                PacketRun(
                    bytes: file.body[position..<end], target: MarbleService.data, packetLength: packetLength,
                    payload: PayloadSpan(at: position, of: total))), notices: notices)
    }

    /// Bytes of a window were lost: the device reports its position.
    private mutating func again() throws(UpdateFailure) -> UpdateStep {
        guard repeats < Self.mostRepeats else {
            throw UpdateFailure(
                .device.noAnswer, during: step,
                message: "the device does not get the bytes from \(position) on",
                mayReconnect: true)
        }
        repeats += 1
        var step = announce()
        step.notices.append(.retry(reason: .device.noAnswer, from: position))
        return step
    }

    private mutating func start(after bytes: [UInt8]) throws(UpdateFailure) -> UpdateStep {
        switch MarbleAnswer(bytes) {
        case .right(file.crc): break
        case .wrong(let crc), .right(let crc):
            throw UpdateFailure(
                .device.imageCRCMismatch, during: step,
                message:
                    "the device has bytes with the CRC-32 \(HexText.digits(crc)), and not \(HexText.digits(file.crc))"
            )
        default: throw unexpected(HexText.encode(bytes))
        }
        state = .starting
        return UpdateStep(.write([0x02], on: MarbleService.command, mayRefuse: true))
    }

    private var completion: Completion {
        Completion(
            isConfirmed: true, mayHaveMissedStart: state == .starting,
            expectedAddresses: applicationAddresses,
            timeout: .seconds(30))
    }

    private var step: String {
        switch state {
        case .idle, .subscribing, .trimming, .announcing: "preparing"
        case .sending, .awaiting: "transferring"
        case .checking, .starting, .finished: "activating"
        }
    }

    private func otherBoard(_ board: String) -> UpdateFailure {
        UpdateFailure(
            .device.hardwareVersionMismatch, during: step,
            message: "the device is board \(board), and the file is for board \(file.board)")
    }

    private func unexpected(_ answer: String) -> UpdateFailure {
        UpdateFailure(
            .device.unexpectedAnswer, during: step,
            message: "the device answered \(answer), which does not belong here")
    }
}
