import Bluetooth
import Firmware
import TestSupport
import Testing

@Suite struct `The memory of received devices` {
    private func report(from number: Int) throws -> Advertisement {
        let address = try #require(
            DeviceAddress([0xC0, 0x0D, 0] + [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }))
        return Advertisement(
            address: address, rssi: -60, isConnectable: true,
            data: AdvertisingData([UInt8](hex: "0eff530a220564dd3402065b5c0614")))
    }

    @Test func `drops the device that has been silent the longest`() throws {
        var memory = SightingMemory()
        var lastSeen: [DeviceAddress: Int] = [:]
        var random = 1
        for moment in 0..<16_000 {
            random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
            let report = try report(from: random >> 8 & 0x1FFF)
            let (_, forgotten) = memory.add(report, at: .seconds(moment))
            if let forgotten {
                let moments = lastSeen.removeValue(forKey: forgotten)
                if moment.isMultiple(of: 64) {
                    #expect(moments.map { $0 <= lastSeen.values.min() ?? $0 } == true)
                }
            }
            lastSeen[report.address] = moment
            #expect(memory.sightings.count <= SightingMemory.most)
        }
        #expect(lastSeen.count == SightingMemory.most)
        #expect(Set(memory.sightings.keys) == Set(lastSeen.keys))
    }

    @Test func `drops the remaining silent devices after a sweep`() throws {
        var memory = SightingMemory()
        for number in 0...SightingMemory.most { memory.add(try report(from: number), at: .seconds(number)) }
        memory.forget(before: .seconds(SightingMemory.most))
        for number in 0..<SightingMemory.most {
            memory.add(try report(from: 10_000 + number), at: .seconds(10_000 + number))
        }
        #expect(memory.sightings.count == SightingMemory.most)
        #expect(memory.sightings.values.map(\.firstSeen).min() == .seconds(10_000))
    }

    @Test func `keeps identities of no more devices than it remembers`() throws {
        var listening = BeaconSightings()
        for number in 0..<(3 * SightingMemory.most) {
            let beacon = listening.add(try report(from: number), at: .seconds(number))
            #expect(beacon.version == "6.20")
        }
        #expect(listening.all.count == SightingMemory.most)
        #expect(listening.all.allSatisfy { $0.identity.isComplete })
    }
}
