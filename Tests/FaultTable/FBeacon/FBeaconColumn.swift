import Feasycom
package import Simulation
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

/// The faults of one upgrade of a Feasycom beacon.
package struct FBeaconTrouble: FaultTrouble {
    /// The initial conditions.
    package enum Circumstance: String, Hashable, Sendable {
        case wrongPIN = "another PIN than ours"
        case otherModel = "another model"
        case oldVersion = "an older version than the container updates"
        case oldBootloader = "an older bootloader than the container requires"
        case noMark = "no mark of open containers"
    }

    package var faults: [Fault]
    package var circumstances: Set<Circumstance> = []

    package init(_ faults: [Fault] = []) { self.faults = faults }

    package init(_ circumstance: Circumstance) { (faults, circumstances) = ([], [circumstance]) }

    package var description: String {
        (faults.map { "\($0)" } + circumstances.map(\.rawValue).sorted()).joined(separator: ", ")
    }

    /// Client errors that a fault can cause. The byte that opens a transfer with sums also requests a packet again: if
    /// it comes twice, the two cannot be distinguished. Neither can an answer, which has no number, that comes after
    /// its packet was sent again and the wait for the second answer has timed out, a second each.
    var excuses: Set<FBeaconRule> {
        faults.reduce(into: []) { excuses, fault in
            switch fault {
            case .doubleNotification, .reorderNotification: excuses.insert(.packetBeforeAnswer)
            case .delayNotification(_, let delay) where delay > .seconds(2):
                excuses.insert(.packetBeforeAnswer)
            default: break
            }
        }
    }
}

extension Outcome {
    /// The outcome of sending `payload` to a beacon that ran version 830.
    init(_ result: FBeaconBenchResult, sending payload: [UInt8], under trouble: FBeaconTrouble) {
        // A receiver does not know where in its last packet the image ends.
        let isRight = result.running.map { $0.version == 840 && $0.payload.starts(with: payload) } ?? false
        let isOld = result.running.map { $0.version == 830 } ?? false
        // The bootloader of a beacon that overwrites its application stays, and accepts another upgrade.
        let mayStart = isRight || isOld || result.running == nil
        let errors = result.statistics.transfer.brokenRules.filter { !trouble.excuses.contains($0) }
        switch result.outcome {
        case _ where result.took > Self.limit: self = .endless
        case _ where !mayStart: self = .ruined
        case _ where !errors.isEmpty: self = .forbidden(errors.map(\.broken.text).joined(separator: ", "))
        case _ where result.statistics.wrongPINs > 1: self = .forbidden("a wrong PIN twice")
        case _ where trouble.circumstances.contains(.noMark) && result.statistics.openings > 0:
            self = .forbidden("spoke to a device without the mark")
        case .failure(let failure): self = .failed(failure.code.rawValue)
        case .success: self = isRight ? .right : .falseSuccess
        }
    }
}
