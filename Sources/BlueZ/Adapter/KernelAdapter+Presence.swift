import Bluetooth
import Logging
import Synchronization

extension KernelAdapter {
    /// How long a controller that was unplugged or switched off may take to return before a scan or a
    /// connection gives up.
    static let returnLimit = Duration.seconds(10)
    /// How often a new controller is tried. One that was just plugged in may refuse commands for a moment.
    private static let mostTries = 5
    private static let backoff = Backoff(first: .milliseconds(250), longest: returnLimit)

    /// Waits until the controller can be used; at most until `deadline`.
    func awaitController(by deadline: Duration = .seconds(Int32.max)) async throws(AdapterError) {
        let limit = min(Self.returnLimit, max(.zero, deadline - time.now))
        if presence.value != .ready, limit > .zero {
            let isReady: Presence?
            do {
                isReady = try await time.within(limit) { [presence] in
                    try await presence.value { $0 == .ready }
                }
            } catch { throw .cancelled }
            guard !Task.isCancelled else { throw .cancelled }
            if isReady != nil { return }
        }
        switch presence.value {
        case .ready: return
        case .switchedOff: throw .unavailable("\(name) was switched off")
        case .removed: throw .unavailable("\(name) was removed")
        }
    }

    /// Follows the controller and its links by `events`, which began before the controller was chosen.
    func watch(_ events: AsyncStream<(UInt16, ManagementEvent)>) async {
        for await (controller, event) in events {
            // A controller's number does not identify it: another one may have got it.
            if event == .indexAdded, state.withLock({ $0.isAway }) {
                await checkNewController(controller)
            } else if controller == index {
                await apply(event)
            }
        }
        listeners.end()
    }

    private func apply(_ event: ManagementEvent) async {
        switch event {
        case .deviceFound(let report):
            let begin = state.withLock { $0.discovery.isOurs ? $0.discovery.begun : nil }
            listeners.hear(report, at: time.now, since: begin)
        case .indexRemoved:
            log.info("\(name) was removed")
            state.withLock { state in
                state.isAway = true
                state.staleLinks = []
                state.discovery.lose()
            }
            // What was changed on the controller is lost with it.
            removeRecord()
            presence.change { $0 = .removed }
            listeners.finish()
        case .newSettings(let settings):
            let isOff = !settings.contains(.powered)
            if isOff { presence.change { $0 = .switchedOff } }
            // The event may be older than the latest change.
            if isOff || Self.condition(of: settings) != presence.value { await refreshPresence() }
            // Listeners get the reason when they begin to listen again.
            if isOff { listeners.finish() }
        case .discovering(false):
            let isWanted = state.withLock { state in
                state.discovery.noteEnd()
                return state.discovery.listeners > 0 && !state.discovery.isOurs
            }
            if isWanted { jobs.yield { [self] in await uncancelled { await self.takeOverDiscovery() } } }
        case .deviceDisconnected(let peer, let reason):
            log.debug("the link to \(peer) ended: \(reason)")
            state.withLock { _ = $0.staleLinks.remove(peer) }
        default: break
        }
    }

    private static func condition(of settings: ControllerSettings) -> Presence {
        settings.contains([.powered, .lowEnergy]) ? .ready : .switchedOff
    }

    /// Reads the controller's state. An event may be older than our latest change, so it is only a reason to call this.
    func refreshPresence() async {
        guard let information = try? await management.information(of: index),
            information.address == address
        else { return }
        presence.change { $0 = Self.condition(of: information.current) }
    }

    /// Called when a controller is plugged in while ours is away. Only the address shows whether it is ours.
    private func checkNewController(_ controller: UInt16) async {
        for failures in 1...Self.mostTries {
            do throws(ManagementError) {
                let information = try await management.information(of: controller)
                guard isOurs(information, at: controller) else {
                    let level: Logger.Level = "hci\(controller)" == name ? .warning : .info
                    return log.log(
                        level: level,
                        "hci\(controller) is another adapter now (\(information.address)); \(address) is not used until it is back"
                    )
                }
                return await prepareReturnedController(at: controller)
            } catch {
                log.debug("hci\(controller) cannot be read yet: \(error)")
                switch error {
                // With `invalidIndex` the controller is gone again.
                case .cancelled, .closed, .refused(.invalidIndex, _): return
                default: break
                }
            }
            do { try await time.sleep(for: Self.backoff.pause(after: failures)) } catch { return }
        }
    }

    /// A controller without an address is recognised only by its number.
    private func isOurs(_ information: ControllerInformation, at controller: UInt16) -> Bool {
        information.address == address
            && (address.identifiesController || controller == state.withLock { $0.index })
    }

    /// Prepares a controller that was plugged in again. To the kernel it is new: off, and without our settings.
    private func prepareReturnedController(at controller: UInt16) async {
        let before = name
        state.withLock { state in
            state.index = controller
            state.isAway = false
        }
        if name != before { log.warning("\(before) (\(address)) is back as \(name)") }
        for failures in 1...Self.mostTries {
            let removals = management.removals(of: controller)
            do throws(ManagementError) {
                var information = try await management.information(of: controller)
                // The controller may have been unplugged in the meantime, and its number given to another one.
                guard isOurs(information, at: controller) else { return state.withLock { $0.isAway = true } }
                state.withLock { $0.removals = removals }
                if environment.poweringOn, Self.condition(of: information.current) != .ready {
                    state.withLock { $0.settingsBefore = information.current }
                    keepRecord()
                    try await switchOn(information)
                    information = try await management.information(of: controller)
                }
                if name == before { log.info("\(name) is back") }
                let condition = Self.condition(of: information.current)
                if condition == .ready { await choosePHYs(information) }
                await loadRequests()
                await openHCI()
                return presence.change { $0 = condition }
            } catch {
                log.debug("\(name) is not back yet: \(error)")
                if error == .cancelled || error == .closed { return }
            }
            do { try await time.sleep(for: Self.backoff.pause(after: failures)) } catch { return }
        }
        log.warning("\(name) was plugged in again and cannot be used")
    }
}

enum Presence: Equatable, Sendable {
    case ready
    /// The controller is plugged in, but its radio or Low Energy is off.
    case switchedOff
    case removed
}
