import Testing

@Suite struct `The traffic of a fresh Secure DFU run` {
    @Test(arguments: 0..<3) func `is the golden one, byte for byte`(_ index: Int) throws {
        let golden = GoldenTraffic.all[index]
        #expect(try golden.replay() == golden.steps, "\(golden.name)")
    }

    @Test(.enabled(if: TrafficFile.isThere, "the vector file is not part of the repository"))
    func `is that of the vector file, step by step`() throws {
        let groups = try TrafficFile.groups()
        #expect(groups.count == 3)
        for golden in GoldenTraffic.all {
            let group = try #require(groups[golden.name])
            #expect(group.payload == golden.payload)
            #expect(group.prn == golden.receipts)
            #expect(group.initPacket == golden.initPacket)
            let wanted = group.traffic
            #expect(golden.steps == wanted, "\(golden.name)")
            let seen = try golden.replay()
            #expect(seen.count == wanted.count, "\(golden.name)")
            for (number, pair) in zip(seen, wanted).enumerated() {
                #expect(pair.0 == pair.1, "\(golden.name), step \(number)")
            }
        }
    }
}
