import BlueZ
import Bluetooth
import Simulation

/// Serves a simulated beacon on a controller: it advertises, accepts one link after another, resets, and
/// advertises at another address.
struct BeaconService: Sendable {
    let peer: any SimulatedPeer
    let peripheral: KernelPeripheral
    let adapter: String
    let time: Timekeeper
    let record: SimulationRecord

    /// The shortest time between changes of the advertised data. Frames that alternate faster are not all sent.
    static let shortestStay = Duration.milliseconds(200)
    /// How long a beacon advertises after an update, so that its client can see it.
    static let lingering = Duration.seconds(10)

    /// Serves until `length` is over (nil: no limit), `stopped` returns, or with `once` an update is done; returns
    /// whether `stopped` ended it.
    func run(
        for length: Duration?, once: Bool, until stopped: @escaping @Sendable () async -> Void
    ) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await serve(once: once)
                return false
            }
            group.addTask {
                await stopped()
                try Task.checkCancellation()
                return true
            }
            if let length {
                group.addTask {
                    try await time.sleep(for: length)
                    return false
                }
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
    }

    private func serve(once: Bool) async throws {
        while true {
            let limit = once && record.hasUpdate ? Self.lingering : nil
            guard let link = try await nextLink(within: limit) else { return }
            try await peripheral.stopAdvertising()
            record.connect(link.peer)
            await serve(link)
            await peripheral.end(link)
        }
    }

    private func serve(_ link: PeripheralLink) async {
        await withDiscardingTaskGroup { group in
            if let (psm, maximum) = await peer.offeredChannel {
                do throws(AdapterError) {
                    let channels = try peripheral.channels(to: psm, maximumPacket: maximum)
                    group.addTask {
                        await withDiscardingTaskGroup { group in
                            while let channel = await channels.next() {
                                group.addTask { await peer.serveChannel(channel, psm: psm, answering: nil) }
                            }
                        }
                    }
                } catch { record.note(.trouble("\(error)")) }
            }
            await peer.serve(link.channel, answering: nil)
            group.cancelAll()
        }
    }

    // MARK: Advertising

    private enum Outcome: Sendable {
        case link(PeripheralLink)
        case moved
        case over
    }

    /// The next link; nil if none comes within `limit` after the beacon starts to advertise.
    private func nextLink(within limit: Duration?) async throws -> PeripheralLink? {
        while true {
            let address = try await appear()
            let outcome = try await withThrowingTaskGroup(of: Outcome.self) { group in
                group.addTask {
                    do throws(AdapterError) { return .link(try await peripheral.nextLink()) } catch {
                        try Task.checkCancellation()
                        throw error
                    }
                }
                group.addTask {
                    while try await show(at: address) {}
                    return .moved
                }
                if let limit {
                    group.addTask {
                        try await time.sleep(for: limit)
                        return .over
                    }
                }
                var outcome = try await group.next() ?? .over
                group.cancelAll()
                // A client may have connected at the last moment.
                while let late = await group.nextResult() {
                    if case .success(.link(let link)) = late { outcome = .link(link) }
                }
                return outcome
            }
            switch outcome {
            case .link(let link): return link
            case .over: return nil
            case .moved: continue
            }
        }
    }

    /// Waits until the beacon advertises, and starts that on the controller; returns its address.
    private func appear() async throws -> DeviceAddress {
        while true {
            let now = time.now
            if let payload = await payload(at: now) {
                let address = await peer.address
                try await peripheral.advertise(payload, at: address.kind == .random ? address : nil)
                let report = await peer.advertisement(at: now)
                record.note(
                    .advertising(
                        address, name: report?.data.name, adapter: adapter,
                        own: address.kind == .random ? nil : peripheral.ownAddress, leftOut: payload.leftOut))
                return address
            }
            try await peripheral.stopAdvertising()
            try await time.sleep(until: await peer.nextReport(after: now))
        }
    }

    /// Advertises the beacon's next data; returns false if it is no longer at `address`.
    private func show(at address: DeviceAddress) async throws -> Bool {
        let next = max(await peer.nextReport(after: time.now), time.now + Self.shortestStay)
        try await time.sleep(until: next)
        let payload = await payload(at: time.now)
        guard let payload, await peer.address == address else { return false }
        try await peripheral.advertise(payload, at: address.kind == .random ? address : nil)
        return true
    }

    /// The data that the beacon last advertised; nil if it does not advertise.
    private func payload(at now: Duration) async -> AdvertisingPayload? {
        guard let latest = await peer.advertisement(at: now) else { return nil }
        let reports = await peer.reports(after: now - .seconds(1), through: now)
        let answer = reports.last { $0.isConnectable == nil }
        return AdvertisingPayload(latest.data, answering: answer?.data ?? AdvertisingData())
    }
}
