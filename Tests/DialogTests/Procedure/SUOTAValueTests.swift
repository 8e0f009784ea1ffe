import Bluetooth
import TestSupport
import Testing
import UpdateModel

@testable import Dialog

@Suite struct `The names of SUOTA` {
    @Test(
        arguments: [
            (SUOTAService.memoryDevice, "8082CAA8-41A6-4021-91C6-56F9B954CC34"),
            (SUOTAService.pins, "724249F0-5EC3-4B5F-8804-42345AF08651"),
            (SUOTAService.memoryInformation, "6C53DB25-47A1-45FE-A022-7C92FB334FD4"),
            (SUOTAService.patchLength, "9D84B9A3-000C-49D8-9183-855B673FDA31"),
            (SUOTAService.patchData, "457871E8-D516-4CA1-9116-57D0B17B9CB2"),
            (SUOTAService.status, "5F78DF94-798C-46F5-990A-B3EB6A065C88"),
            (SUOTAService.psm, "61C8849C-F639-4765-946E-5C3419BEBB2A"),
            (SUOTAService.version, "64B4E8B5-0DE5-401B-A21D-ACC8DB3B913A"),
            (SUOTAService.patchDataSize, "42C3DFDD-77BE-4D9C-8454-8F875267FB3B"),
            (SUOTAService.mtu, "B7DE1EEA-823D-43BB-A3AF-C4903DFCE23C"),
        ])
    func `are the vendor's`(_ name: Characteristic, _ text: String) {
        #expect(name == Characteristic(BluetoothUUID(0xFEF5), BluetoothUUID(text) ?? BluetoothUUID(0)))
    }
}

@Suite struct `A command to the memory device` {
    @Test(
        arguments: [
            (.start(.spi, .oldest), "00000013"), (.start(.spi, .first), "01000013"),
            (.start(.spi, .second), "02000013"), (.start(.i2c, .first), "01000012"), (.end, "000000fe"),
            (.reboot, "000000fd"), (.abort, "000000ff"),
        ] as [(MemoryDeviceCommand, String)])
    func `has the bank first and the type last`(_ word: MemoryDeviceCommand, _ wire: String) {
        #expect(word.bytes.hex == wire)
    }
}

@Suite struct `Pins of a memory` {
    @Test(
        arguments: [
            ("miso=P0_5,mosi=P0_6,cs=P0_3,sck=P0_0", "00030605", 0x0506_0300),
            ("scl=P0_2,sda=P0_3,address=0x50", "03025000", 0x0050_0203),
            ("miso=P0_3,mosi=P0_0,cs=P0_1,sck=P0_4", "04010003", 0x0300_0104),
            ("sck=p2_1, cs=P2_2 ,mosi=P2_3,MISO=P2_4", "21222324", 0x2423_2221),
            ("sda=P0_3,scl=P0_2", "03025000", 0x0050_0203),
            ("scl=P0_2,sda=P0_3,address=80", "03025000", 0x0050_0203),
        ] as [(String, String, UInt32)])
    func `are encoded as in the vendor's words`(_ words: String, _ wire: String, _ number: UInt32) throws {
        let pins = try PinMap(words)
        #expect(pins.bytes.hex == wire)
        #expect(pins.number == number)
        #expect(try PinMap(pins.description) == pins)
    }

    @Test func `of the vendor's boards are known`() {
        #expect(PinMap.vendorSPI.bytes.hex == "00030605")
        #expect(PinMap.vendorI2C.bytes.hex == "03025000")
    }

    @Test(
        arguments: [
            ("", .notKeyAndValue("")), ("miso", .notKeyAndValue("miso")),
            ("miso=P0_5=1", .notKeyAndValue("miso=P0_5=1")),
            ("miso=P0_5,miso=P0_6,cs=P0_3,sck=P0_0", .repeated("miso")),
            ("miso=P0_5,mosi=P0_6,cs=P0_3", .missing("sck")), ("scl=P0_2", .missing("sda")),
            ("miso=P0_5,mosi=P0_6,cs=P0_3,sck=P0_0,sda=P0_1", .unknownKey("cs")),
            ("miso=P0_5,mosi=P0_6,cs=P0_3,clk=P0_0", .unknownKey("clk")),
            ("miso=05,mosi=P0_6,cs=P0_3,sck=P0_0", .invalidPin(key: "miso", value: "05")),
            ("miso=P0_16,mosi=P0_6,cs=P0_3,sck=P0_0", .invalidPin(key: "miso", value: "P0_16")),
            ("miso=P0_-1,mosi=P0_6,cs=P0_3,sck=P0_0", .invalidPin(key: "miso", value: "P0_-1")),
            ("miso=P0_,mosi=P0_6,cs=P0_3,sck=P0_0", .invalidPin(key: "miso", value: "P0_")),
            ("miso=,mosi=P0_6,cs=P0_3,sck=P0_0", .invalidPin(key: "miso", value: "")),
            ("scl=P0_2,sda=P0_3,address=0x400", .invalidAddress("0x400")),
            ("scl=P0_2,sda=P0_3,address=x", .invalidAddress("x")),
        ] as [(String, PinMapError)])
    func `are refused with the word that is wrong`(_ words: String, _ error: PinMapError) {
        #expect(throws: error) { try PinMap(words) }
        #expect(!error.description.contains("pins: "))
    }

    @Test func `are never parsed from noise by chance, and never trap`() {
        var seed = Seed(Seed.ofThisRun)
        let alphabet = Array("Pp_0123456789=,misocklad x\u{301}é-+")
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...40, using: &seed)
            let words = String(
                (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &seed)] })
            if let pins = try? PinMap(words) { #expect((try? PinMap(pins.description)) == pins) }
        }
    }
}

@Suite struct `A division into blocks and chunks` {
    struct Row: CustomTestStringConvertible, Sendable {
        let asked: [Int]
        let used: [Int]
        let counts: [Int]
        let lastBlock: Int
        let lastChunks: [Int]
        let lengths: [Int]
        var testDescription: String { "\(asked)" }

        /// Upload, block and chunk as requested; block and chunk as used; blocks, chunks per block, chunks; the last
        /// block and its chunks, the last chunk of a full block and of the last one; the lengths that are written.
        init(
            _ asked: [Int], _ used: [Int], _ counts: [Int], _ lastBlock: Int, _ lastChunks: [Int],
            _ lengths: [Int]
        ) {
            (self.asked, self.used, self.counts) = (asked, used, counts)
            (self.lastBlock, self.lastChunks, self.lengths) = (lastBlock, lastChunks, lengths)
        }
    }

    @Test(arguments: [
        Row([1089, 240, 20], [240, 20], [5, 12, 55], 129, [7, 20, 9], [240, 129]),
        Row([1089, 512, 20], [512, 20], [3, 26, 56], 65, [4, 12, 5], [512, 65]),
        Row([1089, 1088, 20], [1088, 20], [2, 55, 56], 1, [1, 8, 1], [1088, 1]),
        Row([1089, 1089, 20], [1089, 20], [1, 55, 55], 0, [55, 9, 9], [1089]),
        Row([1089, 240, 244], [244, 244], [5, 1, 5], 113, [1, 244, 113], [244, 113]),
        Row([1089, 488, 244], [488, 244], [3, 2, 5], 113, [1, 244, 113], [488, 113]),
        Row([1089, 256, 20], [256, 20], [5, 13, 56], 65, [4, 16, 5], [256, 65]),
        Row([1089, 240, 120], [240, 120], [5, 2, 10], 129, [2, 120, 9], [240, 129]),
        Row([27001, 240, 20], [240, 20], [113, 12, 1351], 121, [7, 20, 1], [240, 121]),
        Row([27001, 488, 244], [488, 244], [56, 2, 111], 161, [1, 244, 161], [488, 161]),
        Row([100, 240, 20], [100, 20], [1, 5, 5], 0, [5, 20, 20], [100]),
        Row([15, 240, 20], [15, 15], [1, 1, 1], 0, [1, 15, 15], [15]),
        Row([481, 240, 20], [240, 20], [3, 12, 25], 1, [1, 20, 1], [240, 1]),
        Row([65601, 512, 244], [512, 244], [129, 3, 385], 65, [1, 24, 65], [512, 65]),
    ])
    func `equals the vendor's`(_ row: Row) {
        let plan = BlockPlan(uploadSize: row.asked[0], blockSize: row.asked[1], chunkSize: row.asked[2])
        let last = plan.blockCount - 1
        func lastChunk(_ block: Int) -> Int { (plan.block(block).count - 1) % plan.chunkSize + 1 }
        #expect([plan.blockSize, plan.chunkSize] == row.used)
        #expect([plan.blockCount, plan.chunksPerBlock, plan.chunkCount] == row.counts)
        #expect(plan.lastBlockSize == row.lastBlock)
        #expect([plan.chunkCount(ofBlock: last), lastChunk(0), lastChunk(last)] == row.lastChunks)
        #expect(plan.lengths == row.lengths)
        #expect(plan.endsWithLoneTrailer == (row.lengths.last == 1))
    }

    @Test func `never traps`() {
        for numbers in [
            [0, 0, 0], [-1, -5, -9], [1, 1, 1], [1, .max, .max], [.max, 1, 1], [.max, .max, 20],
        ] {
            let plan = BlockPlan(uploadSize: numbers[0], blockSize: numbers[1], chunkSize: numbers[2])
            #expect(!plan.block(0).isEmpty)
            #expect(plan.block(-1).isEmpty)
            #expect(plan.block(.max).isEmpty)
        }
    }
}

@Suite struct `The choice of blocks and chunks` {
    private func choose(
        _ size: Int = 27001, _ family: HeaderFamily = .da1458x, _ facts: DeviceFacts = DeviceFacts(),
        block: Int? = nil, chunk: Int? = nil, link: Int = 244
    ) throws(UpdateFailure) -> BlockPlan {
        var preferences = SUOTAPreferences()
        (preferences.blockSize, preferences.chunkSize) = (block, chunk)
        return try BlockPlan.choose(uploadSize: size, family, preferences, facts, maximumWriteLength: link)
    }

    @Test(
        arguments: [
            (nil, nil, nil, 244, [240, 20]), (13, 244, 247, 244, [488, 244]),
            (14, 244, 247, 509, [488, 244]),
            (13, 20, 247, 244, [240, 20]), (13, 244, 23, 244, [240, 20]), (13, 244, 247, 20, [240, 20]),
            (13, 120, 247, 244, [480, 120]), (12, 120, nil, 244, [240, 120]),
            (12, 244, nil, 244, [244, 244]),
            (nil, 100, nil, 244, [200, 100]), (13, 0, 0, 244, [240, 20]), (13, 509, 512, 509, [509, 509]),
            (13, 244, 185, 182, [364, 182]), (10, nil, 247, 244, [240, 20]), (13, nil, 2, 244, [240, 20]),
        ] as [(Int?, Int?, Int?, Int, [Int])])
    func `follows the limits of device and link`(
        _ version: Int?, _ size: Int?, _ mtu: Int?, _ link: Int, _ used: [Int]
    ) throws {
        let facts = DeviceFacts(version: version, patchDataSize: size, mtu: mtu)
        let plan = try choose(27002, .da1458x, facts, link: link)
        #expect([plan.blockSize, plan.chunkSize] == used)
    }

    @Test func `leaves no checksum byte alone in the last block`() throws {
        let sdk6 = DeviceFacts(version: 13, patchDataSize: 244, mtu: 247)
        for size in 66...4000 {
            for facts in [DeviceFacts(), sdk6] {
                let plan = try choose(size, .da1458x, facts)
                #expect(!plan.endsWithLoneTrailer, "\(size)")
                #expect(plan.block(0).count >= 64)
            }
        }
        #expect(try choose(481).blockSize == 220)
        let shorter = try choose(489, .da1458x, sdk6)
        #expect([shorter.blockSize, shorter.chunkSize] == [486, 243])
        #expect(try choose(489, .da1458x, sdk6, chunk: 244).blockSize == 244)
        #expect(try choose(481, block: 240).lengths == [240, 1])
    }

    @Test(
        arguments: [
            (.da1458x, 63, 20, "block-size-invalid"), (.da1458x, 513, 20, "block-size-invalid"),
            (.da1458x, 0, 20, "block-size-invalid"), (.da1468x, 0, 20, "block-size-invalid"),
            (.da1468x, 65536, 20, "block-size-invalid"), (.da1458x, 240, 21, "chunk-size-invalid"),
            (.da1458x, 240, 0, "chunk-size-invalid"), (.da1468x, nil, -1, "chunk-size-invalid"),
        ] as [(HeaderFamily, Int?, Int, String)])
    func `refuses sizes that the device does not accept, and names the limit`(
        _ family: HeaderFamily, _ block: Int?, _ chunk: Int, _ code: String
    ) throws {
        do throws(UpdateFailure) {
            _ = try choose(27001, family, block: block, chunk: chunk)
            Issue.record("taken")
        } catch {
            #expect(error.code.rawValue == code)
            #expect(error.remedy != nil)
        }
    }

    @Test(arguments: [(HeaderFamily.da1458x, 64), (.da1458x, 512), (.da1468x, 1), (.da1468x, 65535)])
    func `accepts requests at the limit`(_ family: HeaderFamily, _ block: Int) throws {
        #expect(try choose(70_000, family, block: block, chunk: 1).blockSize == block)
    }
}

extension BlockPlan {
    /// The lengths of the blocks, each different from the previous one.
    fileprivate var lengths: [Int] {
        (0..<blockCount).map { block($0).count }.reduce(into: []) { lengths, length in
            if lengths.last != length { lengths.append(length) }
        }
    }
}
