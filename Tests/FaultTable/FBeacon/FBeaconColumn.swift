import Feasycom
import Simulation
import TestSupport
import UpdateBench
import UpdateModel

/// A Feasycom beacon of one kind that receives an open container, with a PIN.
package struct FBeaconColumn: FaultColumn {
    /// Counts from an upgrade without faults.
    package struct Counts: Sendable {
        /// Packets of any kind that the beacon has received.
        package var packets: Int
        /// Notifications, at least.
        package var notifications: Int
        /// Whole packets of the transfer.
        package var blocks: Int
    }

    /// Every fault can affect every beacon.
    package enum Trait: Hashable, Sendable {}

    package let title: String
    package var traits: Set<Trait> { [] }
    private let bench: FBeaconBench
    private static let pin = "123456"
    private static let length = 4500

    init(
        _ title: String, stays: Bool,
        change: @escaping @Sendable (inout FBeaconDescription) -> Void = { _ in }
    ) {
        self.title = title
        var bench = FBeaconBench(stays: stays)
        bench.pin = Self.pin
        bench.change = change
        self.bench = bench
    }

    package func attempt(under trouble: FBeaconTrouble) async throws -> Attempt {
        let result = try await flash(under: trouble)
        let payload = bench.container(Self.length).payload
        return Attempt(
            Outcome(result, sending: payload, under: trouble), result.outcome, result.events, result.moments)
    }

    package func counts() async throws -> Counts {
        let statistics = try await flash(under: FBeaconTrouble()).statistics
        return Counts(
            packets: statistics.packetsReceived, notifications: statistics.transfer.packets + 5,
            blocks: statistics.transfer.packets)
    }

    private func flash(under trouble: FBeaconTrouble) async throws -> FBeaconBenchResult {
        var bench = bench
        bench.faults += trouble.faults
        let (own, circumstances) = (bench.change, trouble.circumstances)
        bench.change = { description in
            own(&description)
            if circumstances.contains(.wrongPIN) { description.access.pin = "654321" }
            if circumstances.contains(.otherModel) { description.entry.model = 25 }
            if circumstances.contains(.oldVersion) { description.entry.version = 799 }
            if circumstances.contains(.oldBootloader) { description.bootloader = 650 }
            if circumstances.contains(.noMark) { description.isOpen = false }
        }
        return try await bench.flash(bench.container(Self.length))
    }
}

extension FBeaconColumn {
    /// Over the same link and over a new one, with CRCs and sums, and with the image written over the application.
    package static let all = [
        FBeaconColumn("FBeacon that stays connected", stays: true),
        FBeaconColumn("FBeacon that wants a new link", stays: false),
        FBeaconColumn("FBeacon with sums, MTU 23", stays: true) {
            ($0.transfer.opening, $0.maximumMTU) = (.sum, 23)
        },
        FBeaconColumn("FBeacon that overwrites its application", stays: false) {
            $0.transfer.overwrites = true
        },
    ]
}
