/// Rotating frames, with telemetry less often than the others.
struct FrameRotation: Sendable {
    private let frequent: [AdvertisingPlan.Slot]
    private let seldom: [AdvertisingPlan.Slot]
    private let every: Int

    /// `slots` in rotation; telemetry replaces every `telemetryEvery`th, if given.
    init(_ slots: [AdvertisingPlan.Slot], telemetryEvery: Int?) {
        let telemetry = slots.filter(\.isTelemetry)
        if let telemetryEvery, telemetryEvery > 1, !telemetry.isEmpty, telemetry.count < slots.count {
            (frequent, seldom, every) = (slots.filter { !$0.isTelemetry }, telemetry, telemetryEvery)
        } else {
            (frequent, seldom, every) = (slots, [], .max)
        }
    }

    var isEmpty: Bool { frequent.isEmpty }

    /// The slot at `index` of the rotation, and how often it came before.
    func slot(_ index: Int) -> (slot: AdvertisingPlan.Slot, turn: Int)? {
        let (rounds, place) = index.quotientAndRemainder(dividingBy: every)
        if place == every - 1 { return Self.turn(rounds, of: seldom) }
        return Self.turn(seldom.isEmpty ? index : index - rounds, of: frequent)
    }

    private static func turn(_ index: Int, of slots: [AdvertisingPlan.Slot]) -> (AdvertisingPlan.Slot, Int)? {
        guard !slots.isEmpty else { return nil }
        return (slots[index % slots.count], index / slots.count)
    }
}

extension AdvertisingPlan.Slot {
    fileprivate var isTelemetry: Bool {
        if case .frame(let name) = content { name.isTelemetry } else { false }
    }
}
