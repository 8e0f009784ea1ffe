import Simulation
import Testing

/// Two good images with these ids: which one an update overwrites, under which id, and which one starts.
struct BankRow: CustomTestStringConvertible, Sendable {
    struct Outcome: Equatable, Sendable {
        var overwrites: Int
        var newID: UInt8
        var starts: Int
    }

    let ids: [UInt8]
    let wanted: Outcome

    init(_ first: UInt8, _ second: UInt8, _ overwrites: Int, _ newID: UInt8, _ starts: Int) {
        ids = [first, second]
        wanted = Outcome(overwrites: overwrites, newID: newID, starts: starts)
    }

    var testDescription: String { "ids \(ids[0]) and \(ids[1])" }

    var bench: SUOTABench {
        SUOTABench {
            $0.first?.id = ids[0]
            $0.second = SUOTAFirmware(version: "0.9.0")
            $0.second?.id = ids[1]
        }
    }

    var outcome: Outcome? {
        var bench = bench
        guard let starts = bench.afterPowerLoss().image?.bank else { return nil }
        let before = [bench.header(1), bench.header(2)]
        bench.start()
        bench.length(240)
        bench.data(SUOTAImages.upload1089[..<240])
        bench.receiver.flash.advance(to: .seconds(1))
        let changed = [1, 2].filter { bench.header($0) != before[$0 - 1] }
        guard bench.statusText == "1002", changed.count == 1 else { return nil }
        return Outcome(overwrites: changed[0], newID: bench.header(changed[0])[3], starts: starts)
    }
}

@Suite struct `The bank of an update` {
    @Test(arguments: [
        BankRow(1, 0, 2, 2, 1), BankRow(1, 2, 1, 3, 2), BankRow(2, 1, 2, 3, 1), BankRow(5, 5, 1, 6, 1),
        BankRow(0xFF, 0x00, 1, 1, 2), BankRow(0x00, 0xFF, 2, 1, 1), BankRow(0xFE, 0xFF, 1, 0, 2),
        BankRow(0xFF, 0xFF, 1, 0, 1), BankRow(0, 1, 1, 2, 2), BankRow(0xFF, 0xFE, 2, 0, 1),
    ])
    func `is that of the older image`(_ row: BankRow) { #expect(row.outcome == row.wanted) }

    @Test(arguments: [(true, false, 2, 8), (false, true, 1, 8), (false, false, 1, 1)])
    func `is the first without a finished image`(first: Bool, second: Bool, bank: Int, id: UInt8) {
        var bench = SUOTABench {
            $0.first?.isFinished = first
            $0.first?.id = 7
            $0.second = SUOTAFirmware(version: "0.9.0")
            $0.second?.isFinished = second
            $0.second?.id = 7
        }
        bench.start()
        bench.length(240)
        bench.data(SUOTAImages.upload1089[..<240])
        bench.receiver.flash.advance(to: .seconds(1))
        #expect(bench.header(bank)[3] == id)
        #expect(bench.header(bank)[2] == 0xFF)
    }

    @Test(arguments: [("01000013", 1), ("02000013", 2)]) func `is the requested one`(
        word: String, bank: Int
    ) {
        var bench = SUOTABench { $0.second = SUOTAFirmware(version: "0.9.0") }
        bench.start(word)
        bench.length(240)
        bench.data(SUOTAImages.upload1089[..<240])
        bench.receiver.flash.advance(to: .seconds(1))
        #expect(bench.header(bank)[2] == 0xFF)
        #expect(bench.header(3 - bank)[2] == 0xAA)
    }

    @Test func `may hold the same image if that was never finished`() {
        var bench = SUOTABench()
        for _ in 0..<3 {
            bench.start()
            bench.send(SUOTAImages.upload1089)
        }
        bench.command("000000fe")
        #expect(!bench.statuses.contains(0x15))
        #expect(bench.reboot()?.version == "1.2.3")
    }
}

@Suite struct `The image that a 58x starts` {
    private func starts(_ change: (inout SUOTABoard) -> Void) -> SUOTABoot {
        SUOTABench(change: change).afterPowerLoss()
    }

    @Test func `is the newer image`() {
        #expect(
            starts {
                $0.second = SUOTAFirmware(version: "3"); $0.second?.id = 9
            }.image?.version == "3")
        #expect(starts { $0.second = SUOTAFirmware(version: "3") }.image?.version == "1.0.0")
    }

    @Test func `is the older image if the newer one has a wrong CRC`() {
        let boot = starts {
            $0.second = SUOTAFirmware(version: "3")
            $0.second?.id = 9
            $0.second?.isIntact = false
        }
        #expect(boot.image?.version == "1.0.0")
        #expect(boot.isAlive)
    }

    @Test func `is none if both are wrong`() {
        let boot = starts {
            $0.first?.isIntact = false
            $0.second = SUOTAFirmware(version: "3")
            $0.second?.isIntact = false
        }
        #expect(boot.image == nil)
    }

    @Test func `is a single image whatever its CRC`() {
        let boot = starts { $0.first?.isIntact = false }
        #expect(boot.image?.isIntact == false)
        #expect(!boot.isAlive)
    }

    @Test func `is none without a finished image or a product header`() {
        #expect(starts { $0.first = nil }.image == nil)
        #expect(starts { $0.first?.isFinished = false }.image == nil)
        #expect(starts { $0.productHeader = nil }.image == nil)
        #expect(starts { $0.productHeader = 0x1F000 }.image == nil)
    }
}

extension SUOTABench {
    init(change: (inout SUOTABoard) -> Void) { self.init(.da14585, change) }
}
