package import Bluetooth
package import Firmware
package import UpdateModel

package typealias WarningHandler = @Sendable (AttemptRecord.Warning) -> Void

/// Chooses the firmware of a unit, and translates errors and results into verdicts.
package protocol UnitPlanner: Sendable {
    /// The job for the unit that was found; throws if there is none. `adapter` is for queries to the unit.
    func job(
        for target: TrayTarget, found beacon: BeaconSighting, with adapter: some Adapter,
        warning warn: @escaping WarningHandler
    ) async throws -> UnitJob
    /// Applies settings to a unit that already has its firmware; its application is at `address`. Calls `willWrite`
    /// before the first change. Returns the changes in words; nil if there are no settings for the unit.
    func configure(
        _ target: TrayTarget, found beacon: BeaconSighting, at address: DeviceAddress,
        with adapter: some Adapter, warning warn: @escaping WarningHandler,
        willWrite: @escaping @Sendable () async throws -> Void
    ) async throws -> [String]?
    /// Whether the program knows how to make a beacon with these adverts blink.
    func canShow(_ beacon: BeaconSighting) -> Bool
    /// Makes a beacon blink for `length`, over one link; returns afterwards. Calls `begin` just before it blinks.
    func show(
        _ beacon: BeaconSighting, for length: Duration, with adapter: some Adapter,
        begin: @escaping @Sendable () -> Void
    ) async throws
    func verdict(for report: UpdateReport) -> UnitVerdict
    func verdict(for error: any Error) -> UnitVerdict
    /// Advice for a unit that the run itself has ended with `code`.
    func nextStep(after code: String) -> String?
    /// Whether another attempt may help after this verdict.
    func mayHelp(after verdict: UnitVerdict) -> Bool
}

/// Makes a unit blink. This is no part of the unit's update, and is not recorded.
struct UnitBlink<Planner: UnitPlanner>: Sendable {
    private static var length: Duration { .seconds(5) }
    /// Connection attempts to a unit that does not reply.
    private static var attempts: Int { 3 }

    let unit: UnitNumber
    let beacon: BeaconSighting
    let adapterSlot: AdapterSlot
    let run: TrayRun<Planner>
    let mailbox: RunMailbox

    func show(obeying token: StopToken<Void>) async {
        await token.run {
            do {
                try await show(with: adapterSlot.adapter)
                run.report(.blinking(unit, .ended))
            } catch {
                run.report(.blinking(unit, .failed(run.planner.verdict(for: error))))
            }
        }
        mailbox.releaseClaims(of: unit)
        mailbox.say(.blinkEnded(unit))
    }

    private func show<Air: Adapter>(with air: Air) async throws {
        let adapter = PermittedAdapter(base: air, unit: unit, slots: run.plan.slot, mailbox: mailbox) {}
        for attempt in 1... {
            do {
                return try await run.planner.show(beacon, for: Self.length, with: adapter) {
                    run.report(.blinking(unit, .began(Self.length)))
                }
            } catch AdapterError.noAnswer where attempt < Self.attempts {}
        }
    }
}
