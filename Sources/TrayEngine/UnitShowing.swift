import BeaconIdentity
import Radio
import Tray

/// Has a unit show a person where it is. It is no step of the unit's update: nothing of it is written down.
struct UnitShowing<Planner: UnitPlanner>: Sendable {
    /// For how long.
    private static var length: Duration { .seconds(5) }
    /// How often a unit is connected to that does not answer.
    private static var attempts: Int { 3 }

    let unit: UnitNumber
    let beacon: BeaconSighting
    let seat: TraySeat
    let run: TrayRun<Planner>
    let desk: TrayDesk

    func show(heeding sign: StopSign<Void>) async {
        await sign.heeding {
            do {
                try await show(with: seat.adapter)
                run.report(.showing(unit, .ended))
            } catch {
                run.report(.showing(unit, .failed(run.planner.verdict(for: error))))
            }
        }
        desk.releaseClaims(of: unit)
        desk.say(.showingEnded(unit))
    }

    private func show<Air: Adapter>(with air: Air) async throws {
        let adapter = PermittedAdapter(
            base: air, unit: unit, slots: { [run] in run.plan.targets[$0.value].slot }, desk: desk
        ) {}
        for attempt in 1... {
            do {
                return try await run.planner.show(beacon, for: Self.length, with: adapter) {
                    run.report(.showing(unit, .began(Self.length)))
                }
            } catch AdapterError.noAnswer where attempt < Self.attempts {}
        }
    }
}
