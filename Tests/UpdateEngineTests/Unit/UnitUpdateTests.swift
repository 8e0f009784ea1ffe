import Bluetooth
import Testing
import UpdateModel

@testable import UpdateEngine

@Suite struct `The update of a unit, as a value` {
    private static func unit(_ number: Int) throws -> DeviceAddress {
        try #require(DeviceAddress("F0:00:00:\(hex(number >> 8)):\(hex(number & 0xFF)):10"))
    }

    private static func hex(_ byte: Int) -> String {
        let text = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + text : text
    }

    /// All steps of `unit` by name, until it is over.
    private func steps(_ unit: inout PlainUnit) -> [String] {
        var names: [String] = []
        var next: (UnitFact, Duration)? = (.begun, .zero)
        var now = Duration.zero
        while let (fact, length) = next, names.count < 1000 {
            now += length
            var copy = unit.update
            names.append(
                "\(Mirror(reflecting: copy.advance(after: fact, at: now)).children.first?.label ?? "disconnect")"
            )
            next = unit.advance(after: fact, at: now)
        }
        return names
    }

    @Test func `begins in the bootloader, and ends after the application's version query`() throws {
        var unit = try PlainUnit(Self.unit(1), startsIn: .bootloader)
        #expect(
            steps(&unit) == [
                "claim", "listen", "connect", "update", "disconnect", "search", "probe", "finish",
            ])
        #expect(try unit.result?.get().verification == .version)
        #expect(unit.changed == [unit.bootloader])
    }

    /// The package names no version, so only a change of the text can verify one.
    @Test(arguments: ["1", "2"])
    func `compares the version with the one that an earlier attempt has read`(_ text: String) throws {
        var unit = try PlainUnit(Self.unit(1), startsIn: .bootloader, promising: nil) { setup in
            setup.earlierScan.revision = Revision(text: text, source: Characteristic.firmwareRevision.uuid)
        }
        _ = steps(&unit)
        let verified = try #require(try unit.result?.get())
        #expect(verified.verification == .reappeared && verified.revision?.text == "2")
        #expect(verified.revisionBefore == text)
    }

    @Test func `begins in the application, which is checked before it is sent to its bootloader`() throws {
        var unit = try PlainUnit(Self.unit(1), startsIn: .application)
        #expect(
            steps(&unit) == [
                "claim", "listen", "listen", "connect", "examine", "listen", "enter", "disconnect", "find",
                "connect", "update", "disconnect", "search", "probe", "finish",
            ])
        #expect(try unit.result?.get().verification == .version)
        #expect(unit.changed == [unit.application, unit.bootloader])
    }

    @Test func `changes nothing if another device has the future address of its bootloader`() throws {
        var unit = try PlainUnit(Self.unit(1), startsIn: .application)
        unit.neighbours = [unit.bootloader]
        let names = steps(&unit)
        #expect(names.suffix(2) == ["listen", "finish"])
        #expect(unit.result?.failure?.code == .device.bootloaderAmbiguous)
        #expect(unit.changed.isEmpty)
    }

    @Test func `gives up after five links without progress, and reports the unit's state`() throws {
        var unit = try PlainUnit(
            Self.unit(1), startsIn: .bootloader, linkFaults: PlainUnit.LinkFaults(lost: 100))
        let names = steps(&unit)
        #expect(names.count { $0 == "connect" } == 5)
        #expect(names.count { $0 == "rest" } == 4)
        #expect(unit.result?.failure?.code == .device.connectionNotEstablished)
        #expect(unit.result?.failure?.state == nil)
    }

    @Test func `says which of the lost links have brought nothing`() {
        var links = LinkHistory()
        let words = [0, 0, 100, 100, 100].map { accepted in
            links.note(LinkOutcome(end: .lost, hasConnected: true, accepted: accepted))
            links.count()
            return links.lossWords
        }
        #expect(
            words == [
                "once without progress", "2 times without progress", "after progress",
                "after progress, then once without", "after progress, then 2 times without",
            ])
        #expect(links.fruitless == 3)
        links.resetFruitlessLinks()
        links.note(LinkOutcome(end: .lost, hasConnected: true, accepted: 200))
        links.count()
        links.disregardLast()
        links.note(LinkOutcome(end: .lost, hasConnected: true, accepted: 200))
        links.count()
        #expect(links.lossWords == "once without progress")
    }

    @Test func `ends without a query if the procedure has seen the new firmware run`() throws {
        var unit = try PlainUnit(Self.unit(1), startsIn: .bootloader)
        unit.proof = UpdateProof("2.0", after: "1.0")
        #expect(steps(&unit) == ["claim", "listen", "connect", "update", "disconnect", "finish"])
        let verified = try #require(try unit.result?.get())
        #expect(verified.verification == .version)
        #expect(verified.revision == Revision(text: "2.0", source: nil))
        #expect(verified.revisionBefore == "1.0")
    }

    @Test func `ends once, whatever comes afterwards`() throws {
        var unit = try PlainUnit(Self.unit(1), startsIn: .bootloader)
        _ = steps(&unit)
        for fact in [UnitFact.begun, .rested, .heard(nil), .disconnected(LinkOutcome(end: .lost))] {
            guard case .finish(.success) = unit.update.advance(after: fact, at: .seconds(100)) else {
                Issue.record("\(fact) has begun something again")
                continue
            }
        }
    }

    @Test func `refuses facts without a request, at every step`() throws {
        let strangers: [UnitFact] = [
            .begun, .claimed, .heard(nil), .examined(ApplicationFacts()), .entered(PlainEntry().handoff),
            .updated(.restart(Restart(timeout: .zero)), hasLeft: false), .found(nil), .probed(.unreached),
            .rested,
        ]
        for unrelated in strangers {
            var unit = try PlainUnit(Self.unit(1), startsIn: .application)
            var next: (UnitFact, Duration)? = (.begun, .zero)
            while let (fact, _) = next {
                var confused = unit.update
                _ = confused.advance(after: fact, at: .zero)
                // Either it is an answer to this step, or it ends the update as an internal error.
                if case .finish(.failure(let failure)) = confused.advance(after: unrelated, at: .zero) {
                    #expect(!failure.message.isEmpty)
                }
                next = unit.advance(after: fact, at: .zero)
            }
        }
    }

    /// Five hundred units together, each at the next time of a fact, with a fiftieth of all steps failing: every one
    /// ends, with the new firmware or with a reason, and none uses another's addresses.
    @Test(arguments: 0..<4 as Range<UInt64>) func `does not affect any of five hundred other ones`(
        _ seed: UInt64
    ) throws {
        let linkFaults = PlainUnit.LinkFaults(lost: 2, silent: 1, stays: 2, dies: 1, returnsOld: 2)
        var units = try (0..<500).map { number in
            try PlainUnit(
                Self.unit(number), startsIn: number.isMultiple(of: 3) ? .bootloader : .application,
                linkFaults: linkFaults,
                seed: seed << 32 + UInt64(number), neighbours: [Self.unit((number + 1) % 500)])
        }
        var due: [(moment: Duration, unit: Int, fact: UnitFact)] = units.indices.map { (.zero, $0, .begun) }
        while let place = due.indices.min(by: { due[$0].moment < due[$1].moment }) {
            let (moment, number, fact) = due[place]
            guard let (next, length) = units[number].advance(after: fact, at: moment),
                units[number].steps < 1000
            else {
                due.remove(at: place)
                continue
            }
            due[place] = (moment + length, number, next)
        }
        var passed = 0
        for unit in units {
            #expect(unit.changed.isSubset(of: [unit.application, unit.bootloader]))
            switch unit.result {
            case .success(let proof):
                passed += 1
                #expect(unit.version == "2")
                #expect(proof.verification == .version)
            case .failure(let failure):
                #expect(failure.code != .system.internalError)
                #expect(failure.state != nil || unit.changed.isEmpty || unit.received == 0)
            case nil: Issue.record("the update of \(unit.application) does not end")
            }
        }
        #expect((250..<500).contains(passed))
    }
}

extension Result {
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
