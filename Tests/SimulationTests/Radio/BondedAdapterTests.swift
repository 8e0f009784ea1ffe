import Bluetooth
import Testing

@testable import Simulation

@Suite(.timeLimit(.minutes(10))) struct `The simulated adapter` {
    /// The outcomes of a first and a second request to encrypt, each on a link of its own.
    func outcomes(
        _ faults: [Fault] = [], _ change: (inout NordicDescription) -> Void
    ) async throws -> [AdapterError?] {
        var description = NordicDescription(address: try #require(DeviceAddress("F0:0D:BE:AC:11:00")))
        description.program = .application
        change(&description)
        let told = description
        return try await VirtualTime.run { time in
            let clock = time.clock
            let beacon = NordicBeacon(told, time: clock, faults: faults)
            return try await SimulatedAdapter.withBeacons(
                [beacon], link: nil, time: clock, readiness: time
            ) { adapter in
                var outcomes: [AdapterError?] = []
                for _ in 0..<2 {
                    let channel = try await adapter.open(
                        .attributes, to: await beacon.address, asking: LinkRequest(), within: .seconds(5))
                    do throws(AdapterError) {
                        try await adapter.encrypt(channel, within: .seconds(5))
                        outcomes.append(nil)
                    } catch { outcomes.append(error) }
                    channel.close()
                    try await clock.sleep(for: .seconds(1))
                }
                return outcomes
            }
        }
    }

    @Test func `pairs with an application that bonds, and keeps that key`() async throws {
        #expect(try await outcomes { $0.requireBonds() } == [nil, nil])
    }

    @Test func `has the key of a bond from the start, for the bootloader too`() async throws {
        let outcomes = try await outcomes {
            $0.requireBonds()
            $0.isBonded = true
            $0.program = .bootloader
        }
        #expect(outcomes == [nil, nil])
    }

    @Test func `does not get into a bonded bootloader without the bond`() async throws {
        let first = try await outcomes {
            $0.requireBonds()
            $0.program = .bootloader
        }
        #expect(first.allSatisfy { $0 != nil })
        let forgotten = try await outcomes([.nordic(.loseBond)]) {
            $0.requireBonds()
            $0.isBonded = true
            $0.program = .bootloader
        }
        #expect(forgotten.allSatisfy { $0 != nil })
    }

    @Test func `pairs with no other beacon`() async throws {
        #expect(try await outcomes { _ in }.allSatisfy { $0 != nil })
    }
}

@Suite struct `A scenario with bonds` {
    @Test func `keeps the bootloader at its application's address`() throws {
        let beacon = try #require(
            try `A scenario file`.scenario(
                """
                beacons:
                  - address: F0:0D:BE:AC:07:10
                    personality: sdk-14.2
                    buttonless: sdk-14-bonded
                    bonded: true
                    firmware_revision: dotted
                    faults:
                      - delay_notification: 1
                      - reorder_notification: 2
                      - refuse_execute: 3
                      - power_loss_in_object: 4
                      - lose_bond: 1
                      - keep_old_application: 1
                """
            ).nordic.first)
        let what = beacon.description
        #expect(what.bootloaderAddress == what.address && what.isBonded && what.buttonless == .bonded)
        #expect(what.personality == .sdk14_2.requiringBonds && what.firmwareRevision == .dotted)
        #expect(
            beacon.faults == [
                .delayNotification(1, by: .seconds(15)), .reorderNotification(2),
                .nordic(.answerExecute(3, with: [0x05])), .nordic(.powerLossInObject(4)), .nordic(.loseBond),
                .nordic(.keepOldApplication),
            ])
    }
}
