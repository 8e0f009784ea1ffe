import Bluetooth
import Testing

@testable import UpdateModel

/// A part that is told how to proceed: it streams its bytes, and then completes or fails.
private struct Part: UpdateProcedure {
    static let point = Characteristic(BluetoothUUID(0xFE59), BluetoothUUID(0x0001))
    var total = 8
    var isConfirmed = true
    var refusal: UpdateFailure?
    var begun = 0
    var isDone = false
    var expectedVersion: ExpectedVersion?
    var resumes = true
    var effectOnApplication: DeviceState.Application?
    var inactivityLimit: Duration? { .seconds(9) }
    var receiver = Receiver.bootloader
    var mayMove: Bool { false }
    var part: UpdatePart? { nil }
    var objection: UpdateFailure?

    func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] {
        if let objection { throw objection }
        return []
    }

    var targetSignature: TargetSignature { TargetSignature(Self.point) }
    var applicationAddresses: Set<ExpectedAddress> { [.sameAddress] }
    var completion: Completion {
        Completion(isConfirmed: isConfirmed, expectedAddresses: [.sameAddress], timeout: .seconds(7))
    }

    mutating func begin(on link: LinkFacts) throws(UpdateFailure) -> UpdateStep {
        begun += 1
        return UpdateStep(.subscribe(Self.point))
    }

    mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> UpdateStep {
        if let refusal { throw refusal }
        guard !isDone else {
            return UpdateStep(.end(.complete(completion)), notices: [.accepted(upTo: total)])
        }
        isDone = true
        let bytes = [UInt8](repeating: 1, count: total)
        return UpdateStep(
            .stream(
                PacketRun(
                    bytes: bytes[...], target: Self.point, packetLength: 4,
                    payload: PayloadSpan(at: 0, of: total))),
            notices: [.resumed(at: 2), .retry(reason: .device.linkLost, from: 3, link: 2)])
    }

    mutating func note(_ times: CommandTimes) {}
    func remedy(for failure: UpdateFailure) -> Advice? { nil }
    var disconnectMeaning: DisconnectMeaning { isDone ? .perhapsDone(completion) : .mustContinue }
    func meansInstalled(_ failure: UpdateFailure) -> Bool { failure.code.rawValue == "too-old" }
}

@Suite struct `A sequence of parts` {
    @Test(arguments: [true, false]) func `resumes after a lost link if its part does`(_ resumes: Bool) {
        #expect(PartSequence(("application", Part(resumes: resumes))).resumes == resumes)
    }

    private let link = LinkFacts(maximumWriteLength: 20)

    private static func failure(_ code: String) -> UpdateFailure {
        UpdateFailure(FailureCode(named: code), during: "a step", message: "because of \(code)")
    }

    private func sequence(_ first: Part, _ second: Part) -> PartSequence {
        PartSequence(("system", first), [("application", second)])
    }

    /// The commands and notices up to the first part's end.
    private func finishFirst(_ sequence: inout PartSequence) throws -> UpdateStep {
        _ = try sequence.begin(on: link)
        _ = try sequence.advance(after: .done)
        return try sequence.advance(after: .done)
    }

    @Test func `counts the bytes of all its parts, and uses its last part's version`() {
        let expectedVersion = ExpectedVersion(number: 7)
        let whole = sequence(Part(total: 10), Part(total: 5, expectedVersion: expectedVersion))
        #expect(whole.total == 15)
        #expect(whole.expectedVersion == expectedVersion)
    }

    @Test func `restarts the device after a part, and continues counting from there`() throws {
        var whole = sequence(Part(total: 10), Part(total: 5))
        let step = try finishFirst(&whole)
        #expect(step.command == .end(.restart(Restart(timeout: .seconds(7)))))
        let next = UpdatePart(number: 2, of: 2, title: "application", startingAt: 10)
        #expect(step.notices == [.accepted(upTo: 10), .phase(.rebooting), .part(next)])
        #expect(whole.disconnectMeaning == .mustContinue)

        _ = try whole.begin(on: link)
        let second = try whole.advance(after: .done)
        guard case .stream(let run) = second.command else {
            Issue.record("\(second.command)")
            return
        }
        #expect(run.payload?.position == 10)
        #expect(
            second.notices == [.resumed(at: 12), .retry(reason: .device.linkLost, from: 13, link: 2)])
        let end = try whole.advance(after: .done)
        #expect(end.notices == [.accepted(upTo: 15)])
        guard case .end(.complete) = end.command else {
            Issue.record("\(end.command)")
            return
        }
    }

    @Test func `does not regard a refused part as installed`() throws {
        let refusal = UpdateFailure(
            FailureCode(named: "too-old"), during: "a step", message: "no", remedy: "change the first part"
        )
        var whole = sequence(Part(refusal: refusal), Part(refusal: refusal))
        _ = try whole.begin(on: link)
        _ = try whole.advance(after: .done)
        #expect(
            whole.part == UpdatePart(number: 2, of: 2, title: "application", refusing: [1], startingAt: 8))
        #expect(whole.part?.before == "part 1 was refused")
        let failure = #expect(throws: UpdateFailure.self) { _ = try whole.advance(after: .done) }
        #expect(failure?.remedy == "change the first part")
    }

    @Test(
        arguments: [
            (1, [], nil), (2, [], "part 1 is installed"), (3, [], "parts 1 and 2 are installed"),
            (4, [], "parts 1, 2 and 3 are installed"), (3, [2], "part 1 is installed, part 2 was refused"),
            (3, [1, 2], "parts 1 and 2 were refused"),
        ] as [(Int, [Int], String?)])
    func `reports the outcome of the parts before one`(_ number: Int, _ refused: [Int], _ words: String?) {
        #expect(UpdatePart(number: number, of: 4, title: "application", refusing: refused).before == words)
    }

    @Test func `does not regard an unconfirmed part as installed`() throws {
        var whole = sequence(Part(total: 10, isConfirmed: false), Part(total: 5))
        let step = try finishFirst(&whole)
        #expect(step.command == .end(.restart(Restart(timeout: .seconds(7)))))
        #expect(whole.disconnectMeaning == .mayRestart(within: .seconds(7)))
        #expect(try whole.begin(on: link).command == .subscribe(Part.point))
    }

    @Test func `continues when the device has a part already`() throws {
        var whole = sequence(Part(total: 10, refusal: Self.failure("too-old")), Part(total: 5))
        _ = try whole.begin(on: link)
        let step = try whole.advance(after: .done)
        #expect(step.command == .subscribe(Part.point))
        guard case .warning(.device.partSkipped, let text)? = step.notices.first else {
            Issue.record("\(step.notices)")
            return
        }
        #expect(text.contains("system") && text.contains("because of too-old"))
        #expect(step.notices.contains(.accepted(upTo: 10)))
        let next = try whole.advance(after: .done)
        #expect(
            next.notices == [.resumed(at: 12), .retry(reason: .device.linkLost, from: 13, link: 2)])
    }

    @Test func `reports which part is being installed, unless there is only one`() throws {
        var whole = sequence(Part(total: 10), Part(total: 5))
        #expect(whole.part == UpdatePart(number: 1, of: 2, title: "system"))
        _ = try finishFirst(&whole)
        #expect(whole.part == UpdatePart(number: 2, of: 2, title: "application", startingAt: 10))
        #expect(PartSequence(("application", Part())).part == nil)
        #expect(whole.inactivityLimit == .seconds(9))
    }

    @Test(
        arguments: [
            (.unknown, nil, .unknown), (.unknown, .intact, .unknown), (.gone, .unknown, .gone),
            (.gone, .new, .new), (nil, .intact, .intact), (.intact, .unknown, .unknown),
        ] as [(DeviceState.Application?, DeviceState.Application?, DeviceState.Application?)])
    func `combines the effects of its parts on the application`(
        _ first: DeviceState.Application?, _ second: DeviceState.Application?,
        _ both: DeviceState.Application?
    ) throws {
        var whole = sequence(
            Part(total: 10, effectOnApplication: first), Part(total: 5, effectOnApplication: second))
        #expect(whole.effectOnApplication == first)
        _ = try finishFirst(&whole)
        #expect(whole.effectOnApplication == both)
    }

    @Test func `checks the blockers of its last part, and continues if that is already installed`()
        throws
    {
        let same = Part(
            objection: UpdateFailure(.device.sameVersion, during: "a step", message: "it is there"))
        let low = Part(
            objection: UpdateFailure(.device.firmwareVersionTooLow, during: "a step", message: "too low"))
        #expect(try sequence(Part(), same).check(ApplicationFacts()) == [])
        #expect(throws: UpdateFailure.self) { try sequence(Part(), low).check(ApplicationFacts()) }
        #expect(throws: UpdateFailure.self) {
            try PartSequence(("application", same)).check(ApplicationFacts())
        }
        #expect(try sequence(low, Part()).check(ApplicationFacts()) == [])
    }

    @Test(arguments: [nil, "too-old", "bad-signature"]) func `of one part behaves as that does alone`(
        _ code: String?
    ) throws {
        for isConfirmed in [true, false] {
            var alone = Part(isConfirmed: isConfirmed, refusal: code.map(Self.failure))
            alone.expectedVersion = ExpectedVersion(number: 7)
            var whole = PartSequence(("application", alone))
            #expect(whole.total == alone.total && whole.expectedVersion == alone.expectedVersion)
            #expect(try whole.begin(on: link) == alone.begin(on: link))
            for _ in 0..<2 {
                #expect(
                    Result { () throws(UpdateFailure) in try whole.advance(after: .done) }
                        == Result { () throws(UpdateFailure) in try alone.advance(after: .done) })
                #expect(whole.disconnectMeaning == alone.disconnectMeaning)
            }
            for other in ["too-old", "bad-signature"].map(Self.failure) {
                #expect(whole.meansInstalled(other) == alone.meansInstalled(other))
            }
        }
    }

    @Test func `ends with any other refusal of a part`() throws {
        var whole = sequence(Part(refusal: Self.failure("bad-signature")), Part())
        _ = try whole.begin(on: link)
        #expect(throws: Self.failure("bad-signature")) { try whole.advance(after: .done) }
    }

    @Test func `reports an earlier refusal when its last part is refused`() throws {
        var whole = sequence(
            Part(refusal: Self.failure("too-old")), Part(refusal: Self.failure("too-old")))
        _ = try whole.begin(on: link)
        _ = try whole.advance(after: .done)
        let failure = try #require(throws: UpdateFailure.self) { try whole.advance(after: .done) }
        #expect(failure.code.rawValue == "too-old")
        #expect(failure.message == "because of too-old; the system was refused before it: because of too-old")
    }
}
