import BlueZ
import Bluetooth
import Glibc
import Logging
import Nordic
import UpdateEngine
import UpdateModel

/// Several operations on one adapter at the same time.
struct Together: Sendable {
    let adapter: KernelAdapter
    let log: Logger

    /// Updates all `units` from their bootloaders, and ends when the first two have ended.
    func update(_ units: [DeviceAddress], to image: SecureImage) async throws {
        let begun = adapter.time.now
        let ended = await withTaskGroup(of: (DeviceAddress, Bool).self) { group in
            for unit in units { group.addTask { (unit, await update(unit, to: image, since: begun)) } }
            var awaited = Set(units.prefix(2))
            var allRight = true
            for await (unit, isRight) in group where awaited.remove(unit) != nil {
                allRight = allRight && isRight
                if awaited.isEmpty { break }
            }
            group.cancelAll()
            return allRight
        }
        guard ended else { throw BenchFailure.wrong("one of the first two was not updated") }
    }

    private func update(_ unit: DeviceAddress, to image: SecureImage, since begun: Duration) async -> Bool {
        let tell: @Sendable (String) -> Void = { what in
            let at = seconds(adapter.time.now - begun)
            say(#"{"event":"moment","device":"\#(unit)","what":"\#(what)","at":\#(at)}"#)
        }
        let updater = Updater(adapter: adapter, log: log) { event in
            switch event {
            case .phase(let phase): tell(phase.rawValue)
            case .connected: tell("connected")
            case .disconnected: tell("disconnected")
            default: break
            }
        }
        do throws(UpdateFailure) {
            _ = try await updater.run(SecureProcedure(image), on: unit)
            tell("updated")
            return true
        } catch {
            tell("ended: \(error.code.rawValue)")
            return false
        }
    }

    /// Listens all the time, while others listen briefly: some that are stopped while they begin, and one after a
    /// report. Prints for each of those ends how long no report of `peer` followed. An undisturbed discovery has 3 s to
    /// run each time.
    func listen(for peer: DeviceAddress) async throws {
        let time = adapter.time
        let reports = try await adapter.advertisements()
        let heard = Moments()
        async let _ = {
            for await report in reports where report.address == peer { await heard.note(time.now) }
        }()
        for pause in [500, 0, 5, 10, 20, 30, 45, 60] {
            try await time.sleep(for: .seconds(5))
            _ = try await time.within(.milliseconds(pause)) {
                for await report in try await adapter.advertisements() where report.address == peer {
                    try await time.sleep(for: .seconds(60))
                }
            }
            let end = time.now
            var next: Duration?
            while next == nil {
                try await time.sleep(for: .milliseconds(20))
                next = await heard.first(after: end)
            }
            say(#"{"event":"stopped","after_ms":\#(pause),"silence":\#(seconds((next ?? end) - end))}"#)
        }
    }
}

private actor Moments {
    private var all: [Duration] = []
    func note(_ moment: Duration) { all.append(moment) }
    func first(after end: Duration) -> Duration? { all.first { $0 > end } }
}

private func seconds(_ time: Duration) -> Double { (time / .milliseconds(1)).rounded() / 1000 }
