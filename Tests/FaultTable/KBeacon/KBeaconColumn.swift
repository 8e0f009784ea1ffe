import KKM
package import Simulation
import TestSupport
package import UpdateBench
import UpdateModel

/// A KBeacon of one kind, updated from its application, with a session before and after.
package struct KBeaconColumn: FaultColumn {
    /// Counts from an update without faults.
    package struct Counts: Sendable {
        /// Packets of any kind that the beacon has received, and the Write Commands among them.
        package var nordic: NordicColumn.Counts
        /// The number of opened sessions.
        package var handshakes: Int
        /// The number of messages in those.
        package var messages: Int
    }

    /// Every fault can affect every beacon.
    package enum Trait: Hashable, Sendable {}

    package let title: String
    package var traits: Set<Trait> { [] }
    package let bench: NordicBench
    private let first: KKM.KBeaconGeneration
    private let firmware = TestFirmware(count: 4096 + 300, isSigned: true)

    init(
        _ title: String, asking first: KKM.KBeaconGeneration, _ session: KBeaconDescription
    ) {
        (self.title, self.first) = (title, first)
        var session = session
        session.updatedVersion = "V6.31"
        let said = session
        bench = NordicBench(change: { $0.becomeKBeacon(said) }, entering: NordicBench.Entering(name: nil))
    }

    package func attempt(under trouble: KBeaconTrouble) async throws -> Attempt {
        let result = try await flash(under: trouble)
        var outcome = Outcome(result, expecting: firmware.image)
        if let rule = result.broken(under: trouble) { outcome = .forbidden(rule) }
        return Attempt(outcome, result.outcome, result.events, result.moments)
    }

    package func counts() async throws -> Counts {
        let result = try await flash(under: KBeaconTrouble())
        let statistics = result.statistics
        return Counts(
            nordic: NordicColumn.Counts(
                packets: statistics.packetsReceived, commands: statistics.commandsReceived),
            handshakes: result.session?.handshakes ?? 0, messages: result.session?.commands.count ?? 0)
    }

    private func flash(under trouble: KBeaconTrouble) async throws -> NordicBenchResult {
        var bench = bench
        bench.faults += trouble.faults
        let password = trouble.hasWrongPassword ? "Tisch-08" : KBeaconDescription.factoryPassword
        let session = KKM.KBeaconSession(Secret(password), asking: first) { 0x0102_0304 }
        bench.identifying = { (address, _) throws(SessionFailure) in
            try KKMVendor().identityQuery(by: session, to: address)
        }
        return try await bench.flash(firmware)
    }
}

extension NordicBenchResult {
    /// A forbidden action of the client; nil if there is none.
    fileprivate func broken(under trouble: KBeaconTrouble) -> String? {
        guard let session = self.session else { return "no session" }
        if session.writesAfterRefusal > 0 { return "went on after a refusal" }
        if session.wrongPasswords > 0 { return "sent a proof of a wrong password" }
        return session.brokenRules.keys.filter { !trouble.excuses.contains($0) }.map(\.id).min()
    }
}

/// The faults of one update of a KBeacon.
package struct KBeaconTrouble: FaultTrouble {
    package var faults: [Fault]
    /// Whether the client has another password than the beacon.
    package var hasWrongPassword = false

    package init(_ faults: [Fault] = []) { self.faults = faults }

    package var description: String {
        (faults.map { "\($0)" } + (hasWrongPassword ? ["the wrong password"] : [])).joined(separator: ", ")
    }

    /// Client errors that wrong answers of a beacon can cause. After a lost or late answer the client asks in the other
    /// generation's format, over the same session, and acknowledges what comes late.
    var excuses: Set<KBeaconRule> {
        faults.reduce(into: []) { excuses, fault in
            switch fault {
            case .kbeacon(.flipAnswer), .kbeacon(.cutAnswer), .reorderNotification:
                excuses.formUnion(KBeaconRule.allCases)
            case .loseNotification, .delayNotification:
                excuses.formUnion([.commandDuringAnswer, .unaskedAcknowledgement])
            default: break
            }
        }
    }
}

extension KBeaconColumn {
    /// Both generations, and one with all other options reversed.
    package static let all: [KBeaconColumn] = {
        var reporting = KBeaconDescription(.second)
        reporting.buttonlessNeedsSession = true
        reporting.answers.shape = .report
        reporting.answers.pieceSize = 40
        reporting.handshake.foldsDigests = true
        reporting.handshake.reportsMTU = false
        return [
            KBeaconColumn("KBeacon, first generation", asking: .first, KBeaconDescription(.first)),
            KBeaconColumn("KBeacon, second generation", asking: .second, KBeaconDescription(.second)),
            KBeaconColumn(
                "KBeacon, second generation, in reports, bootloader in a session only", asking: .first,
                reporting),
        ]
    }()
}
