import Bluetooth
import Identity

/// Makes a unit blink. This is no step of the unit's update: nothing of it is recorded.
struct UnitBlink<Planner: UnitPlanner>: Sendable {
    /// The duration.
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
        let adapter = PermittedAdapter(
            base: air, unit: unit, slots: { [run] in run.plan.targets[$0.value].slot }, mailbox: mailbox
        ) {}
        for attempt in 1... {
            do {
                return try await run.planner.show(beacon, for: Self.length, with: adapter) {
                    run.report(.blinking(unit, .began(Self.length)))
                }
            } catch AdapterError.noAnswer where attempt < Self.attempts {}
        }
    }
}
