import Bluetooth
import CommandKit
import Firmware
import Tray
import UpdateModel

/// The scan before a run, by all its adapters together.
struct UnitSurvey: Sendable {
    /// What ends the scan before its time.
    enum Goal: Sendable {
        case wholeTime
        /// These beacons were heard.
        case devices([DeviceSelector])
        /// This many matching beacons were heard, and ``secondBeaconWait`` longer has passed, to hear surplus ones.
        case matches(Int, @Sendable (BeaconSighting) -> Bool)
    }

    /// How long to listen for surplus beacons after all expected ones were heard.
    static let secondBeaconWait = TraySightings.secondBeaconWait
    /// The interval at which the goal is checked.
    private static let pause = Duration.milliseconds(100)
    /// The longest time at the prompt for codes.
    private static let longest = Duration.seconds(86_400)

    private let radios: [(radio: NamedAdapter, beacons: SightingCollector)]
    private let limit: Duration
    private let order: TrayOrder
    let time: Timekeeper
    /// When the survey was created, on the adapters' clock.
    private let begin: Duration

    /// Scans with `radios`, whose clock is `time`, for `limit`; slots are numbered in `order`.
    init(with radios: [NamedAdapter], for limit: Duration, order: TrayOrder, time: Timekeeper) {
        self.radios = radios.map {
            ($0, SightingCollector(BeaconSightings(isComplete: $0.adapter.passesEveryReport)))
        }
        (self.limit, self.order, self.time) = (limit, order, time)
        begin = time.now
    }

    var heard: BeaconSightings { radios.reduce(into: BeaconSightings()) { $0.join($1.beacons.sightings) } }

    /// Scans until `goal` is reached, at most for the limit.
    func scan(until goal: Goal = .wholeTime, telling console: Console) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for (index, (radio, beacons)) in radios.enumerated() {
                let status = index > 0 ? nil : SearchStatus(console: console, goal: "the units of the tray")
                group.addTask {
                    _ = try await radio.adapter.listen(
                        for: limit, isSearch: true, collecting: beacons, showing: status
                    ) { _ in false }
                    return false
                }
            }
            group.addTask { try await reach(goal, telling: console) }
            var listening = radios.count
            while listening > 0, let isReached = try await group.next(), !isReached { listening -= 1 }
            group.cancelAll()
            while await group.nextResult() != nil {}
        }
        try Task.checkCancellation()
    }

    private func reach(_ goal: Goal, telling console: Console) async throws -> Bool {
        while true {
            try await time.sleep(for: Self.pause)
            switch goal {
            case .wholeTime: continue
            case .devices(let devices):
                let heard = heard.all.filter(\.isHeardOut)
                guard devices.allSatisfy({ Self.beacon(of: $0, in: heard) != nil }) else { continue }
            case .matches(let count, let condition):
                guard hasHeard(count, condition) else { continue }
                try await time.sleep(for: Self.secondBeaconWait)
                guard hasHeard(count, condition) else { continue }
                console.notice(
                    "expected: \(count), heard: all; listened for others for "
                        + "\(Quantities.seconds(Self.secondBeaconWait / .seconds(1))) more")
            }
            return true
        }
    }

    private func hasHeard(_ count: Int, _ condition: (BeaconSighting) -> Bool) -> Bool {
        heard.all.count { $0.isHeardOut && condition($0) } >= count
    }

    /// Scans while `body` runs, also if an adapter goes away meanwhile.
    func scanning<Value: Sendable>(
        telling console: Console, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            for (radio, beacons) in radios {
                group.addTask {
                    try await listen(with: radio, collecting: beacons, telling: console)
                    return nil
                }
            }
            group.addTask { try await body() }
            defer { group.cancelAll() }
            while let value = try await group.next() { if let value { return value } }
            throw CancellationError()
        }
    }

    /// Listens while the operator scans codes. If the adapter is unplugged, waits for it, because a failure would lose the
    /// scanned codes. If it does not come back, the run begins without it, and its journal then has the codes.
    private func listen(
        with radio: NamedAdapter, collecting beacons: SightingCollector, telling console: Console
    ) async throws {
        var isGone = false
        while true {
            do {
                _ = try await radio.adapter.listen(for: Self.longest, collecting: beacons) { _ in false }
                return
            } catch AdapterError.unavailable(let reason) {
                if !isGone {
                    console.notice(
                        "\(radio.name): \(TerminalText(reason)). What you have scanned is kept; plug the adapter in again"
                    )
                }
                isGone = true
            }
            try await time.sleep(for: Self.pause)
        }
    }

    /// The beacon that `device` selects, or the bootloader of its application; nil if neither was heard yet.
    func beacon(of device: DeviceSelector) -> BeaconSighting? {
        Self.beacon(of: device, in: heard.byStrength)
    }

    /// The beacon that `device` selects, or the bootloader of its application. Waits for it, and says so, until `limit`
    /// has passed since `begin`; nil if neither was heard by then.
    func awaitBeacon(of device: DeviceSelector, telling console: Console) async throws -> BeaconSighting? {
        var isReported = false
        while true {
            let left = begin + limit - time.now
            if let beacon = beacon(of: device) { return beacon }
            guard left > .zero else { return nil }
            if !isReported, left > .seconds(1) {
                let rest = Quantities.seconds((left / .seconds(1)).rounded(.up))
                console.notice(
                    "\(TerminalText("\(device)")) was not heard yet: listening for at most \(rest)")
            }
            isReported = true
            try await time.sleep(for: Self.pause)
        }
    }

    private static func beacon(of device: DeviceSelector, in heard: [BeaconSighting]) -> BeaconSighting? {
        heard.first(where: device.matches)
            ?? heard.first { $0.isBootloader && device.names($0.address.neighbour(-1)) }
    }

    /// A slot for each matching beacon, numbered from 1 in `order`. Throws if more than `expected` match.
    func slots(matching condition: (BeaconSighting) -> Bool, expecting expected: Int?) throws -> [TraySlot] {
        let matching = heard.byStrength.filter(condition)
        if let expected, matching.count > expected {
            throw CommandFailure(
                .tray.trayOverrun, during: "looking for the units",
                message: "\(matching.count) beacons match, \(expected) expected: "
                    + matching.map { "\($0.address)" }.joined(separator: ", "))
        }
        let ordered = order == .loudest ? matching : matching.sorted { "\($0.address)" < "\($1.address)" }
        return try ordered.enumerated().map { index, beacon in
            try TraySlot("\(index + 1)", device: .address(beacon.address))
        }
    }
}
