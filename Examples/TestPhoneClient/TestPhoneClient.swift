import Bluetooth
import Simulation

/// Tests `PhoneClient` with two simulated beacons: a healthy one, and one whose response is lost. The second waits for
/// a confirmation of that response and stays in its application.
@main enum TestPhoneClient {
    static func main() async throws {
        let well = try await run(with: [])
        print("healthy beacon: \(well.outcome), then it runs its \(well.program)")
        let silent = try await run(with: [.loseNotification(1)])
        print("beacon whose response is lost: \(silent.outcome), then it runs its \(silent.program)")
        guard well == (.left, .bootloader), silent == (.silent, .application) else { throw Failure() }
    }

    struct Failure: Error {}

    static func run(with faults: [Fault]) async throws -> (
        outcome: PhoneClient.Outcome, program: Restart.Program
    ) {
        guard let address = DeviceAddress("F0:0D:BE:AC:01:00") else { throw Failure() }
        var description = NordicDescription(address: address)
        description.program = .application
        description.buttonless = .named
        // Virtual time advances only while every task is idle: a 3 s timeout takes no real time.
        return try await VirtualTime.run { [description] time in
            let beacon = NordicBeacon(description, time: time.clock, faults: faults)
            return try await SimulatedAdapter.withBeacons(
                [beacon], link: LinkModel(), time: time.clock, readiness: time
            ) { adapter in
                let outcome = try await adapter.withConnection(to: address, within: .seconds(5)) { gatt in
                    try await PhoneClient(gatt: gatt, time: time.clock).enterBootloader()
                }
                try await time.clock.sleep(for: .seconds(1))
                return (outcome, await beacon.mode)
            }
        }
    }
}
