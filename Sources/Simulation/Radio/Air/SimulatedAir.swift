import Bluetooth

/// The peers in range and the kind of link to them, shared by several adapters.
struct SimulatedAir: Sendable {
    let peers: [any SimulatedPeer]
    let model: LinkModel?
    let time: Timekeeper
    let readiness: any DescriptorReadiness
    let locks: NamedLocks?

    /// Runs `body` with the adapters of `controllers`; what they started ends with it.
    func withAdapters<Value: Sendable>(
        _ controllers: [SimulatedController], _ body: ([SimulatedAdapter]) async throws -> Value
    ) async throws -> Value {
        let (work, jobs) = AsyncStream.makeStream(of: Job.self)
        let adapters = controllers.map { adapter($0, jobs) }
        return try await running(adapters, work, jobs) { try await body(adapters) }
    }

    /// The same with one adapter.
    func withAdapter<Value: Sendable>(
        _ controller: SimulatedController, _ body: (SimulatedAdapter) async throws -> Value
    ) async throws -> Value {
        let (work, jobs) = AsyncStream.makeStream(of: Job.self)
        let adapter = adapter(controller, jobs)
        return try await running([adapter], work, jobs) { try await body(adapter) }
    }

    private typealias Job = @Sendable () async -> Void

    private func adapter(
        _ controller: SimulatedController, _ jobs: AsyncStream<Job>.Continuation
    ) -> SimulatedAdapter {
        SimulatedAdapter(
            time: time, peers: peers, controllerLinks: ControllerLinks(controller), begun: time.now,
            model: model,
            readiness: readiness, jobs: jobs, locks: locks)
    }

    private func running<Value: Sendable>(
        _ adapters: [SimulatedAdapter], _ work: AsyncStream<Job>, _ jobs: AsyncStream<Job>.Continuation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        for peer in peers {
            let key = await peer.bond
            for adapter in adapters { adapter.bonds[peer] = key }
        }
        async let air: Void = withDiscardingTaskGroup { group in
            for adapter in adapters { group.addTask { await adapter.followPlug() } }
            for await job in work { group.addTask { await job() } }
            group.cancelAll()
        }
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        jobs.finish()
        await air
        return try result.get()
    }
}
