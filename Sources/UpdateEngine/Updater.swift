public import BluetoothTypes
public import Logging
public import Radio
import Timing
public import UpdateCore

/// Brings one device onto new firmware: runs a procedure, finds the device again after every lost link, and
/// looks at what came up in the end.
///
/// It has no protocol knowledge; the procedure has no `await`.
public struct Updater<Air: Adapter>: Sendable {
    let adapter: Air
    let policy: RetryPolicy
    let log: Logger
    let report: @Sendable (UpdateEvent) -> Void

    /// An updater over `adapter` that tells `report` what happens.
    public init(
        adapter: Air, policy: RetryPolicy = RetryPolicy(), log: Logger,
        report: @escaping @Sendable (UpdateEvent) -> Void
    ) {
        self.adapter = adapter
        self.policy = policy
        self.log = log
        self.report = report
    }

    /// Runs `procedure` on the device whose bootloader is at `address`.
    ///
    /// Returns only when the device has come back in its application, or when that was not to be looked at;
    /// the report says how far the result was checked.
    public func run(
        _ procedure: any UpdateProcedure, on address: DeviceAddress, verifying: Bool = true
    ) async throws(UpdateFailure) -> UpdateReport {
        do {
            return try await run(procedure, address, verifying)
        } catch {
            throw UpdateFailure(of: error)
        }
    }

    private func run(
        _ first: any UpdateProcedure, _ address: DeviceAddress, _ verifying: Bool
    ) async throws -> UpdateReport {
        var procedure = first
        var telemetry = Telemetry(time: adapter.time, report: report)
        let places = Whereabouts(bootloader: address, of: first)
        var fruitless = 0
        var accepted = 0
        var isFirst = true
        while true {
            let before = procedure.linkEnded()
            let result = try await link(&procedure, places, &telemetry, isFirst: isFirst)
            fruitless = telemetry.accepted > accepted ? 1 : fruitless + 1
            switch result {
            case .complete(let completion):
                let verified = verifying ? try await reappearance(at: places, completion) : .no
                return telemetry.summary(of: procedure.total, verified: verified)
            case .application:
                guard case .perhapsDone = before else { throw Self.applicationInTheWay(address, isFirst) }
                // What we wanted to see, but the device never said that it took the image.
                report(.warning(.activationUnconfirmed, Self.unconfirmed))
                return telemetry.summary(of: procedure.total, verified: .no)
            case .silent(let failure):
                guard fruitless < policy.fruitlessLinks else { throw failure }
                telemetry.noteRetry(failure.code, from: telemetry.accepted)
            case .lost:
                guard fruitless < policy.fruitlessLinks else {
                    throw UpdateFailure(
                        .linkLost, during: "transferring",
                        message: "the link to \(address) was lost \(fruitless) times without progress")
                }
                telemetry.noteRetry(.linkLost, from: telemetry.accepted)
            }
            accepted = telemetry.accepted
            isFirst = false
            try await adapter.time.sleep(for: policy.pause(after: fruitless))
        }
    }

    private static var unconfirmed: String {
        "the link ended before the device could confirm the image; its application is running, but nothing "
            + "says which version"
    }

    private static func applicationInTheWay(_ address: DeviceAddress, _ isFirst: Bool) -> UpdateFailure {
        isFirst
            ? UpdateFailure(
                .notInBootloader, during: "connecting",
                message: "\(address) runs its application, not its bootloader")
            : UpdateFailure(
                .leftBootloader, during: "looking for the bootloader",
                message: "\(address) went back to its application before it had the whole image")
    }
}
