import Bluetooth
import Firmware

/// Makes a unit blink, which is no part of its update and is not recorded.
struct UnitBlink<Planner: UnitPlanner>: Sendable {
    private static var length: Duration { .seconds(5) }
    /// Connection attempts to a unit that does not reply.
    private static var attempts: Int { 3 }

    let unit: UnitNumber
    let beacon: BeaconSighting
    let runAdapter: RunAdapter
    let run: TrayRun<Planner>
    let mailbox: RunMailbox

    func run(obeying token: StopToken<Void>) async {
        await token.run {
            do {
                try await blink(with: runAdapter.adapter)
                run.report(.blinking(unit, .ended))
            } catch {
                run.report(
                    .blinking(
                        unit, .failed(run.planner.verdict(for: error, at: beacon.address, sending: nil))))
            }
        }
        mailbox.releaseClaims(of: unit)
        mailbox.send(.fact(.blinkEnded(unit)))
    }

    private func blink<Air: Adapter>(with air: Air) async throws {
        let adapter = PermittedAdapter(base: air, unit: unit, slot: run.plan.slot, mailbox: mailbox) {}
        for attempt in 1... {
            do {
                return try await run.planner.blink(beacon, for: Self.length, with: adapter) {
                    run.report(.blinking(unit, .began(Self.length)))
                }
            } catch AdapterError.noAnswer where attempt < Self.attempts {}
        }
    }
}

package enum BlinkEvent: Hashable, Sendable {
    case refused(BlinkRefusal)
    case began(Duration)
    case ended
    /// The unit did not blink, or not for the whole time.
    case failed(UnitVerdict)
}
