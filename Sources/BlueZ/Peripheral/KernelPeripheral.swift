package import Bluetooth
import Glibc
import Synchronization

/// A kernel's controller in the peripheral role: it advertises, and other devices connect to it.
///
/// It lives in a scope of the adapter, and performs one operation at a time: `advertise`, `nextLink`, `end`.
/// What was changed on the controller is restored when the scope ends.
package final class KernelPeripheral: Sendable {
    /// Opens the sockets that other devices connect to; tests connect pairs of sockets.
    typealias Listening =
        @Sendable (LinkChannel, DeviceAddress, Int?) throws(SocketError) -> any ChannelListener

    /// How long after a link its attribute channel may arrive; after that, another program is assumed to have it.
    static let acceptLimit = Duration.seconds(3)
    /// How long the kernel may take to end a link.
    private static let endLimit = Duration.seconds(5)

    let adapter: KernelAdapter
    /// The controller's own address, at which beacons with a public address are served.
    package let ownAddress: DeviceAddress
    private let hadClassic: Bool
    private let listening: Listening
    private let state: Mutex<State>

    private struct State: Sendable {
        /// Whether the controller has BR/EDR, with which a static address is not used.
        var hasClassic: Bool
        var staticAddress: DeviceAddress?
        /// Whether the controller has a static address that we have not set: one that a killed run has left.
        var hasForeignAddress: Bool
        var advertised: AdvertisingPayload?
        /// Whether the kernel does not know the two steps to advertise, as before 5.11.
        var isOld = false
        var listener: (any ChannelListener)?
    }

    private init(
        _ adapter: KernelAdapter, _ information: ControllerInformation, _ listening: @escaping Listening
    ) {
        (self.adapter, self.listening) = (adapter, listening)
        ownAddress = information.address
        hadClassic = information.current.contains(.classic)
        state = Mutex(
            State(
                hasClassic: hadClassic, hasForeignAddress: information.current.contains(.staticAddress)))
    }

    package static func withPeripheral<Value: Sendable>(
        on adapter: KernelAdapter, _ body: (KernelPeripheral) async throws -> Value
    ) async throws -> Value {
        let readiness = adapter.environment.readiness
        return try await withPeripheral(
            on: adapter,
            listening: { (kind, address, maximum) throws(SocketError) in
                try L2CAPListener(kind, at: address, maximumPacket: maximum, readiness: readiness)
            }, body)
    }

    static func withPeripheral<Value: Sendable>(
        on adapter: KernelAdapter, listening: @escaping Listening,
        _ body: (KernelPeripheral) async throws -> Value
    ) async throws -> Value {
        let share: NamedLocks.Share
        do throws(NamedLock.Owner) {
            share = try adapter.locks.share(in: "serving/\(adapter.key)")
        } catch { throw AdapterError.unavailable("\(adapter.name) already serves beacons for \(error)") }
        defer { withExtendedLifetime(share) {} }
        let information: ControllerInformation
        do throws(ManagementError) {
            information = try await adapter.management.information(of: adapter.index)
        } catch { throw AdapterError.unavailable("\(adapter.name) cannot be used: \(error)") }
        let peripheral = KernelPeripheral(adapter, information, listening)
        let result: Result<Value, any Error>
        do { result = .success(try await body(peripheral)) } catch { result = .failure(error) }
        await adapter.uncancelled { await peripheral.restore() }
        return try result.get()
    }

    /// Advertises `payload` at `address`, a random static one or nil for the controller's own, and listens
    /// there for links. It replaces earlier advertising.
    package func advertise(
        _ payload: AdvertisingPayload, at address: DeviceAddress?
    ) async throws(AdapterError) {
        let isElsewhere = state.withLock { state in
            state.staticAddress != address || address == nil && state.hasForeignAddress
        }
        if isElsewhere { try await move(to: address) }
        if state.withLock({ $0.listener == nil }) {
            let listener = try listen(.attributes, at: address ?? ownAddress, maximumPacket: nil)
            state.withLock { $0.listener = listener }
        }
        let (before, isOld) = state.withLock { ($0.advertised, $0.isOld) }
        guard before != payload else { return }
        try await change("advertise") { () async throws(ManagementError) in
            if isOld { return try await self.perform(.addAdvertising(payload)) }
            do throws(ManagementError) {
                if before == nil { try await self.perform(.addAdvertisingParameters) }
                try await self.perform(.addAdvertisingData(payload))
            } catch {
                guard case .refused(.unknownCommand, _) = error else { throw error }
                self.state.withLock { $0.isOld = true }
                try await self.perform(.addAdvertising(payload))
            }
        }
        state.withLock { $0.advertised = payload }
    }

    /// Stops advertising. Listening continues.
    package func stopAdvertising() async throws(AdapterError) {
        guard state.withLock({ $0.advertised != nil }) else { return }
        try await change("stop advertising") { () async throws(ManagementError) in
            try await self.perform(.removeAdvertising)
        }
        state.withLock { $0.advertised = nil }
    }

    /// Waits until a device has connected, and returns the attribute channel of the new link.
    package func nextLink() async throws(AdapterError) -> PeripheralLink {
        guard let listener = state.withLock({ $0.listener }) else {
            throw .unavailable("\(adapter.name) is not listening")
        }
        let (name, index, time) = (adapter.name, adapter.index, adapter.time)
        let events = adapter.management.events()
        let result = await withTaskGroup(of: Result<PeripheralLink, AdapterError>.self) { group in
            group.addTask {
                do throws(SocketError) {
                    let (channel, peer) = try await listener.accept()
                    return .success(PeripheralLink(peer: peer, channel: channel))
                } catch { return .failure(Self.adapterError(error)) }
            }
            group.addTask {
                for await (controller, event) in events where controller == index {
                    switch event {
                    case .deviceConnected(let peer):
                        guard (try? await time.sleep(for: Self.acceptLimit)) != nil else {
                            return .failure(.cancelled)
                        }
                        return .failure(.attributesTaken(adapter: name, peer))
                    case .indexRemoved: return .failure(.unavailable("\(name) was removed"))
                    case .newSettings(let settings) where !settings.contains(.powered):
                        return .failure(.unavailable("\(name) was switched off"))
                    default: break
                    }
                }
                return .failure(.cancelled)
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? .failure(.cancelled)
        }
        return try result.get()
    }

    /// Listens for a channel to `psm` that accepts packets of up to `maximumPacket` bytes.
    package func channels(to psm: UInt16, maximumPacket: Int) throws(AdapterError) -> PeripheralChannels {
        let address = state.withLock { $0.staticAddress } ?? ownAddress
        return PeripheralChannels(
            try listen(.creditBased(psm: psm), at: address, maximumPacket: maximumPacket))
    }

    /// Ends `link` at once; the kernel by itself would keep it for 2 s.
    package func end(_ link: PeripheralLink) async {
        link.channel.close()
        adapter.state.withLock { _ = $0.staleLinks.insert(link.peer) }
        let (adapter, peer) = (adapter, link.peer)
        await adapter.uncancelled {
            _ = try? await adapter.endStaleLink(to: peer, by: adapter.time.now + Self.endLimit)
        }
    }

    private func listen(
        _ kind: LinkChannel, at address: DeviceAddress, maximumPacket: Int?
    ) throws(AdapterError) -> any ChannelListener {
        do throws(SocketError) { return try listening(kind, address, maximumPacket) } catch {
            switch (error.errno, kind) {
            case (EADDRINUSE, .attributes): throw .attributesTaken(adapter: adapter.name, nil)
            case (EADDRINUSE, _): throw .unavailable("another program listens on \(kind) already")
            case (EACCES, _): throw .notPermitted(capability: "CAP_NET_BIND_SERVICE", to: "listen on \(kind)")
            default: throw Self.adapterError(error)
            }
        }
    }

    private static func adapterError(_ error: SocketError) -> AdapterError {
        error.errno == ECANCELED ? .cancelled : .system(call: error.call, errno: error.errno)
    }

    /// Gives the controller another address, for which it has to be off and without BR/EDR.
    private func move(to address: DeviceAddress?) async throws(AdapterError) {
        if let address, address.kind != .random || address.bytes[0] & 0xC0 != 0xC0 {
            throw .unavailable("\(address) is not a random static address (these begin with C to F)")
        }
        try await stopAdvertising()
        state.withLock { $0.listener = nil }
        let wasClassic = state.withLock { $0.hasClassic }
        record(isMoved: true)
        let hasClassic = address == nil && hadClassic
        try await change("change its address") { () async throws(ManagementError) in
            try await self.perform(.setPowered(false))
            if hasClassic != wasClassic { try await self.perform(.setClassic(hasClassic)) }
            try await self.perform(.setStaticAddress(address))
            try await self.perform(.setPowered(true))
        }
        state.withLock { state in
            state.staticAddress = address
            state.hasForeignAddress = false
            state.hasClassic = hasClassic
        }
        if address == nil { record(isMoved: false) }
    }

    /// Records whether the controller has another address now, in case this process is killed.
    private func record(isMoved: Bool) {
        let hasOtherChanges = adapter.state.withLock { state in
            state.isMoved = isMoved
            return state.physBefore != nil || !state.settingsBefore.isSuperset(of: [.powered, .lowEnergy])
        }
        if isMoved || hasOtherChanges { adapter.keepRecord() } else { adapter.removeRecord() }
    }

    /// Carries out `body` even if the task is cancelled: half a change is worse than a late end.
    private func change(
        _ what: String, _ body: @escaping @Sendable () async throws(ManagementError) -> Void
    ) async throws(AdapterError) {
        let failure = OneShot<ManagementError>()
        await adapter.uncancelled {
            do throws(ManagementError) {
                try await body()
                failure.resolve(nil)
            } catch { failure.resolve(error) }
        }
        guard !Task.isCancelled else { throw .cancelled }
        switch await failure.value() {
        case nil: return
        case .refused(.permissionDenied, _):
            throw .notPermitted(capability: "CAP_NET_ADMIN", to: "\(what) with \(adapter.name)")
        case .refused(.rfkilled, _):
            throw .unavailable("\(adapter.name) is blocked by a radio switch (rfkill)")
        case .cancelled: throw .cancelled
        case let error?: throw .unavailable("\(adapter.name) could not \(what): \(error)")
        }
    }

    private func perform(_ command: ManagementCommand) async throws(ManagementError) {
        try await adapter.perform(command)
    }

    private func restore() async {
        _ = try? await stopAdvertising()
        if state.withLock({ $0.staticAddress != nil }) { _ = try? await move(to: nil) }
        state.withLock { $0.listener = nil }
    }
}

/// A link that another device has made to a controller of ours, with its attribute channel.
package struct PeripheralLink: Sendable {
    package let peer: DeviceAddress
    package let channel: PacketSocket
}

/// Accepts channels that other devices connect.
protocol ChannelListener: Sendable {
    /// The next channel and its peer. Throws `ECANCELED` when the task is cancelled.
    func accept() async throws(SocketError) -> (PacketSocket, DeviceAddress)
}

extension L2CAPListener: ChannelListener {}

/// Credit-based channels that other devices connect.
package struct PeripheralChannels: Sendable {
    private let listener: any ChannelListener

    init(_ listener: any ChannelListener) { self.listener = listener }

    /// The next channel; nil if none can be accepted any more.
    package func next() async -> PacketSocket? { try? await listener.accept().0 }
}
