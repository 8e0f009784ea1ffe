import Bluetooth
import Simulation
import Testing
import UpdateBench
import UpdateModel

private let firmware = TestFirmware(count: 4000)

/// A unit that has one address in both of its programs.
private func neighbour(_ address: String) throws -> NordicDescription {
    var description = NordicDescription(address: try #require(DeviceAddress(address)))
    description.softDevice = 0x98
    description.bootloaderAddress = description.address
    return description
}

@Suite(.timeLimit(.minutes(10))) struct `The survey of beacons near a unit` {
    /// It is heard only after the link to the application is open.
    @Test func `also refuses a beacon that is heard late at the bootloader's address`() async throws {
        let other = try neighbour("F0:0D:BE:AC:00:01")
        var bench = NordicBench(
            change: { $0.program = .application }, entering: NordicBench.Entering(), neighbours: [other])
        bench.hearing = { address, events in
            let isEarly = events.age(of: .connecting).map { $0 < .milliseconds(850) } ?? true
            return address.description.hasSuffix("01") && isEarly ? .absent : .normal
        }
        let result = try await bench.flash(firmware)
        #expect(result.failure?.code == .device.bootloaderAmbiguous, "\(result.outcome)")
        #expect(!result.phases.contains(.enteringBootloader))
    }

    @Test func `connects to a bootloader as soon as that is heard`() async throws {
        let result = try await NordicBench().flash(firmware)
        let connected = result.events.firstIndex { if case .connected = $0 { true } else { false } }
        #expect(result.moments[try #require(connected)] < .milliseconds(200))
        #expect(result.report?.verified == .version, "\(result.outcome)")
    }

    @Test func `continues during the link if the application is not the unit's own`() async throws {
        var other = try neighbour("F0:0D:BE:AC:00:00")
        other.program = .application
        var bench = NordicBench(neighbours: [other])
        bench.change = {
            $0.address = $0.address.neighbour(1)
            $0.bootloaderAddress = $0.address
        }
        // The neighbour is not heard before the link is open, and the unit itself does not come back.
        bench.hearing = { address, events in
            let stands = events.age(of: .preparing) != nil
            return address.description.hasSuffix("01")
                ? events.age(of: .rebooting) != nil ? .absent : .normal : stands ? .normal : .absent
        }
        let result = try await bench.flash(TestFirmware(count: 20000))
        #expect(result.failure?.code == .device.didNotReappear, "\(result.outcome)")
    }

    /// The unit itself does not come back; the beacon that does was heard only after the whole image was sent.
    @Test func `hears a unit's neighbours for a second before a short image is installed`() async throws {
        var other = try neighbour("F0:0D:BE:AC:00:00")
        other.program = .application
        var bench = NordicBench(neighbours: [other])
        bench.change = {
            $0.address = $0.address.neighbour(1)
            $0.bootloaderAddress = $0.address
        }
        bench.hearing = { address, events in
            let (isSent, isGone) = (events.age(of: .activating) != nil, events.age(of: .rebooting) != nil)
            return (address.description.hasSuffix("01") ? isGone : !isSent) ? .absent : .normal
        }
        let result = try await bench.flash(TestFirmware(count: 100))
        let sent = try #require(result.events.firstIndex(of: .phase(.activating)))
        #expect(result.moments[sent] < .milliseconds(900))
        #expect(result.failure?.code == .device.didNotReappear, "\(result.outcome)")
    }

    @Test func `does not add its wait to the time of the transfer`() async throws {
        let result = try await NordicBench().flash(TestFirmware(count: 400))
        let rebooting = try #require(result.events.firstIndex(of: .phase(.rebooting)))
        #expect(result.moments[rebooting] > .seconds(1))
        #expect(try #require(result.report).transferSeconds < 0.2)
    }
}
