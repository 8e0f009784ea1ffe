import Bluetooth
import Synchronization
import TestSupport
import Testing
import Work
import WorkServerInMemory

/// Time that passes on request, or when a task sleeps.
final class ManualTime: Sendable {
    private let present = Mutex(Duration.seconds(1000))

    var now: Duration { present.withLock { $0 } }
    func pass(_ length: Duration) { pass(to: now + length) }
    func pass(to moment: Duration) { present.withLock { $0 = max($0, moment) } }

    var time: Timekeeper {
        Timekeeper(
            reading: { self.now },
            waiting: { moment in
                self.pass(to: moment)
                // A sleeping task yields: there are as many threads as cores.
                await Task.yield()
            },
            setting: { _, _ in Alarm {} })
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A claim with a lease` {
    private let clock: ManualTime
    private let engine: WorkServerInMemory
    private let line: WorkServerLine
    private let other: WorkServerLine
    private let news = Event()
    private static let lease = Duration.seconds(120)

    private final class Event: Sendable {
        let all = Mutex<[ClaimRenewer.Event]>([])
    }

    init() {
        let clock = ManualTime()
        self.clock = clock
        engine = WorkServerInMemory { clock.now }
        engine.add(
            WorkOrder(number: "WO-1", state: .open, firmware: .ofTray), units: ["a", "b"])
        (line, other) = (engine.line(of: "one"), engine.line(of: "two"))
    }

    private func keeper(
        deliverResults: @escaping @Sendable () async throws(WorkError) -> Void = { () throws(WorkError) in }
    ) throws -> ClaimRenewer {
        let keeper = ClaimRenewer(
            line, lease: Self.lease, time: clock.time, clock: { [clock] in clock.now },
            deliverResults: deliverResults,
            report: { [news] told in news.all.withLock { $0.append(told) } })
        let asked = keeper.now
        let answer = try line.claim(
            ClaimRequest("WO-1", beacons: [.init(["a"]), .init(["b"])], most: 2, for: Self.lease))
        for (slot, grant) in zip(["1", "2"], answer.grants) {
            keeper.keep(grant.claim, in: slot, lease: Lease(requestedAt: asked, for: grant.lease))
        }
        return keeper
    }

    @Test func `covers a step while enough of it is left, without a request`() async throws {
        let keeper = try keeper()
        #expect(await keeper.refusal(of: "1") == nil)
        clock.pass(Self.lease - Lease.margin - ClaimRenewer.stepTime)
        #expect(await keeper.refusal(of: "1") == nil)
        #expect(line.count(.renew) == 0)
    }

    @Test func `is renewed before a step that it does not cover`() async throws {
        let keeper = try keeper()
        clock.pass(.seconds(60))
        #expect(await keeper.refusal(of: "1") == nil)
        #expect(line.count(.renew) == 1)
        clock.pass(.seconds(50))
        #expect(await keeper.refusal(of: "1") == nil)
        #expect(line.count(.renew) == 1)
    }

    @Test func `forbids the step when it cannot be renewed, and reports the remaining time`() async throws {
        let keeper = try keeper()
        line.cut()
        clock.pass(.seconds(60))
        #expect(
            await keeper.refusal(of: "1") == .tooShort(left: .seconds(55), why: "no answer"))
        // A shorter step is still covered.
        #expect(await keeper.refusal(of: "1", for: .seconds(30)) == nil)
        clock.pass(.seconds(60))
        #expect(
            await keeper.refusal(of: "1", for: .seconds(1)) == .tooShort(left: .seconds(-5), why: "no answer")
        )
        line.cut(false)
        // No other station has claimed it meanwhile.
        #expect(await keeper.refusal(of: "1") == nil)
    }

    @Test func `is lost when another station claims the unit after its expiry`() async throws {
        let keeper = try keeper()
        clock.pass(Self.lease + .seconds(1))
        let taken = try other.claim(
            ClaimRequest("WO-1", beacons: [.init(["a"])], most: 1, for: Self.lease))
        #expect(taken.grants.map(\.claim.epoch) == [2] && taken.grants.map(\.wasClaimedBefore) == [true])
        #expect(await keeper.refusal(of: "1") == .lost)
        #expect(await keeper.refusal(of: "2") == nil)
        #expect(keeper.open.map(\.key) == ["b"])
        #expect(news.all.withLock { $0 }.contains(.lost(slots: ["1"])))
    }

    @Test func `is renewed while the run continues, and more often when requests fail`() async throws {
        let keeper = try keeper()
        line.fail(.renew, nil, .lost, .lost)
        let began = clock.now
        let task = Task { await keeper.run() }
        while line.count(.renew) < 6 { await Task.yield() }
        task.cancel()
        await task.value
        let told = news.all.withLock { $0 }.filter { told in
            switch told {
            case .renewed, .unanswered(_, _, isFirst: false): false
            default: true
            }
        }
        #expect(told.count == 2, "\(told)")
        #expect(told.last == .answered)
        guard case .unanswered(let error, let left, true)? = told.first else {
            Issue.record("nothing was reported")
            return
        }
        // Requested after 30, 60 (in vain), 65 (in vain) and 70 s.
        #expect(error.code == "engine-unreachable" && left == Self.lease - Lease.margin - .seconds(30))
        #expect(clock.now - began >= .seconds(30 + 30 + 5 + 5 + 30))
    }

    @Test func `is renewed for another attempt, once the result of the previous one is handed in`()
        async throws
    {
        let handedIn = Mutex(0)
        let keeper = try keeper { [line] () throws(WorkError) in
            handedIn.withLock { $0 += 1 }
            if line.isCut {
                throw WorkError(
                    .unreachable, "engine-unreachable", during: "handing in", message: "no answer")
            }
        }
        keeper.drop("1")
        #expect(await keeper.refusal(of: "1") == nil)
        #expect(handedIn.withLock { $0 } == 1 && keeper.claim(of: "1")?.epoch == 2)
        #expect(keeper.open.map(\.key) == ["a", "b"])

        keeper.drop("1")
        line.cut()
        let claims = line.count(.claim)
        guard case .unanswered(let error)? = await keeper.refusal(of: "1") else {
            Issue.record("it was granted")
            return
        }
        #expect(
            error.code == "engine-unreachable" && line.count(.claim) == claims, "not before it is handed in")
        line.cut(false)

        try engine.hold("WO-1", because: "wrong labels")
        guard case .orderNotOpen(let order)? = await keeper.refusal(of: "1") else {
            Issue.record("it was granted")
            return
        }
        #expect(order.state == .held && order.heldReason == "asked: wrong labels")
        try engine.release("WO-1")

        clock.pass(Self.lease + .seconds(1))
        _ = try other.claim(ClaimRequest("WO-1", beacons: [.init(["a"])], most: 1, for: Self.lease))
        #expect(await keeper.refusal(of: "1") == .denied(.claimed(by: "two", left: Self.lease)))
    }

    @Test func `delays nothing once no claim is left that needs more time`() async throws {
        let keeper = try keeper()
        line.cut()
        let task = Task { await keeper.run() }
        func told() -> [ClaimRenewer.Event] { news.all.withLock { $0 } }
        while told().isEmpty { await Task.yield() }
        for slot in ["1", "2"] { keeper.drop(slot) }
        while !told().contains(.idle) { await Task.yield() }
        let moment = clock.now + .seconds(300)
        while clock.now < moment { await Task.yield() }
        task.cancel()
        await task.value
        #expect(told().count { $0 == .idle } == 1 && !told().contains(.answered))
    }

    @Test func `counts from before its request`() {
        let lease = Lease(requestedAt: .seconds(10), for: .seconds(100))
        #expect(lease.left(at: .seconds(20)) == .seconds(85))
        #expect(lease.covers(.seconds(85), at: .seconds(20)) && !lease.covers(.seconds(86), at: .seconds(20)))
        #expect(Lease(requestedAt: .zero, for: nil).covers(.seconds(1_000_000), at: .seconds(9)))
    }
}
