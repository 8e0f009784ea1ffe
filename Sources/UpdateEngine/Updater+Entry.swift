import BluetoothTypes
import Radio
import Timing
import UpdateCore

extension Updater {
    /// Waits until the unit that has left `application` is heard in its bootloader; nil when it has stayed.
    func bootloader(
        after departure: Departure, of application: DeviceAddress, others: Set<DeviceAddress>,
        known: DeviceAddress?
    ) async throws -> DeviceAddress? {
        let lock = BootloaderLock(on: application, departure, others: others, known: known)
        switch try await verdict(of: lock, within: policy.search) {
        case .found(let address): return address
        case .stayed: return nil
        case .ambiguous(let reason):
            throw UpdateFailure(
                .bootloaderAmbiguous, during: "looking for the bootloader",
                message: "\(reason); nothing was sent to any of them")
        case nil:
            throw UpdateFailure(
                .bootloaderNotFound, during: "looking for the bootloader",
                message: "\(application) left its application, and its bootloader was not heard for "
                    + "\(Int(policy.search.seconds)) s")
        }
    }

    private static var mostListenings: Int { 8 }

    private enum Tick: Sendable {
        case heard(Advertisement)
        case moment
    }

    /// Lets `lock` hear everything until it has a verdict; nil when it has none within `limit`.
    private func verdict(
        of lock: BootloaderLock, within limit: Duration
    ) async throws -> BootloaderLock.Verdict? {
        let time = adapter.time
        let start = time.now
        let deafBefore = adapter.deafTime
        var lock = lock
        let (ticks, source) = AsyncStream.makeStream(of: Tick.self)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            func ask(at moment: Duration) {
                group.addTask {
                    try await time.sleep(until: start + moment)
                    source.yield(.moment)
                }
            }
            group.addTask { [adapter] in
                defer { source.finish() }
                // A listening that ends is begun again: the adapter may have been away for a moment.
                for _ in 0..<Self.mostListenings {
                    for await report in try await adapter.advertisements() { source.yield(.heard(report)) }
                    if Task.isCancelled { return }
                }
            }
            ask(at: limit)
            var asked: Duration?
            for await tick in ticks {
                let now = time.now - start
                if case .heard(let report) = tick { lock.hear(report, at: now) }
                if let verdict = lock.verdict(at: now) { return verdict }
                // A scan of another program that keeps us deaf is no silence.
                let end = limit + min(adapter.deafTime - deafBefore, limit)
                guard now < end else { return nil }
                if case .moment = tick, now >= limit { ask(at: end) }
                if let again = lock.nextDecision(after: now), again != asked, again < end {
                    asked = again
                    ask(at: again)
                }
            }
            try Task.checkCancellation()
            _ = try await group.next()  // whatever ended the scan
            throw AdapterError.unavailable("the adapter is gone")
        }
    }

    /// Refuses to send an application away whose bootloader would be at an address that somebody has already.
    func checkRoom(
        behind door: Characteristic, of entry: any BootloaderEntry, from address: DeviceAddress,
        _ others: Set<DeviceAddress>
    ) throws(UpdateFailure) {
        let places = entry.appearances(behind: door).map { $0.address(from: address) }
        guard let taken = places.first(where: { $0 != address && others.contains($0) }) else { return }
        throw UpdateFailure(
            .bootloaderAmbiguous, during: "entering the bootloader",
            message: "another device is heard at \(taken), where the bootloader of \(address) would be; "
                + "nothing was changed")
    }
}
