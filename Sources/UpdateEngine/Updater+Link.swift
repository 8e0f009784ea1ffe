import BluetoothTypes
import GATT
import Logging
import Radio
import Timing
import UpdateCore

/// How one link ended.
enum LinkResult: Sendable {
    /// The device has everything.
    case complete(Completion)
    /// The application answers where the bootloader was expected.
    case application
    /// The link was lost, or did not come about.
    case lost
    /// The device does not answer any more; a new link may help.
    case silent(UpdateFailure)
}

extension Updater {
    /// Finds the device, connects, and runs the procedure until the link ends.
    func link(
        _ procedure: inout any UpdateProcedure, _ places: Whereabouts, _ telemetry: inout Telemetry,
        isFirst: Bool
    ) async throws -> LinkResult {
        report(.phase(.connecting))
        let search = patience(after: procedure.linkEnded())
        guard let heard = try await adapter.firstHeard(of: places.all, within: search) else {
            throw UpdateFailure(
                isFirst ? .deviceNotFound : .linkLost, during: "looking for the device",
                message: "\(places.bootloader) was not heard for \(Int(search.seconds)) s")
        }
        // A bootloader always takes connections; an application need not.
        if !heard.isConnectable, heard.address != places.bootloader { return .application }
        var running = procedure
        var measured = telemetry
        defer {
            procedure = running
            telemetry = measured
        }
        do {
            return try await adapter.withLink(to: heard.address, within: policy.connect) {
                client, parameters in
                guard try await introduce(client, heard.address, running.entrance, parameters) else {
                    return .application
                }
                var conversation = Conversation(with: client, time: adapter.time, total: running.total)
                switch try await conversation.run(&running, &measured) {
                case .complete(let completion): return .complete(completion)
                case .linkLost: return .lost
                }
            }
        } catch AdapterError.noAnswer {
            return .lost
        } catch GATTError.disconnected, GATTError.bearer {
            return .lost
        } catch GATTError.transactionTimeout(let step) {
            log.warning("no answer for 30 s while \(step)")
            return .silent(
                UpdateFailure(
                    .noAnswer, during: step, message: "the device did not answer for 30 s", mayReconnect: true
                ))
        } catch let failure as UpdateFailure where failure.mayReconnect {
            log.warning("\(failure.message), trying a new link")
            return .silent(failure)
        }
    }

    /// Agrees on the MTU and looks for the bootloader's characteristic; false when it is not there.
    private func introduce(
        _ client: ATTClient, _ address: DeviceAddress, _ entrance: Characteristic,
        _ parameters: @escaping @Sendable () async -> LinkParameters
    ) async throws -> Bool {
        let isBootloader = try await adapter.time.within(policy.introduction) {
            try await client.exchangeMTU()
            let link = await parameters()
            report(
                .connected(
                    address,
                    LinkDescription(
                        mtu: await client.mtu, interval: link.interval, phy: link.phy?.rawValue)))
            return try await client.offers(entrance)
        }
        guard let isBootloader else {
            throw UpdateFailure(
                .noAnswer, during: "discovering services",
                message: "\(address) did not come to the end of its services in "
                    + "\(Int(policy.introduction.seconds)) s", mayReconnect: true)
        }
        return isBootloader
    }

    /// How long to look for the device: one that may be installing its image takes as long as that takes.
    private func patience(after ending: LinkEnding) -> Duration {
        switch ending {
        case .interrupted: policy.search
        case .perhapsDone(let completion): max(policy.search, completion.patience)
        }
    }

    /// Looks whether the application came up, within the patience that the procedure asks for.
    func reappearance(
        at places: Whereabouts, _ completion: Completion
    ) async throws -> Verification {
        report(.phase(.rebooting))
        let deadline = adapter.time.now + completion.patience
        var bootloaderSightings = 0
        while true {
            let left = max(.zero, deadline - adapter.time.now)
            guard let heard = try await adapter.firstHeard(of: places.all, within: left) else {
                throw bootloaderSightings > 0 ? stillInBootloader(places) : vanished(places, completion)
            }
            if bootloaderSightings == 0 { report(.phase(.verifying)) }
            if try await runsApplication(heard, places) { return completion.isConfirmed ? .reappeared : .no }
            bootloaderSightings += 1
            // Once may be the last advertisement before a second restart.
            guard bootloaderSightings < 3 else { throw stillInBootloader(places) }
            try await adapter.time.sleep(for: policy.longestPause)
        }
    }

    /// Whether `heard` is the application: by its characteristics, or by an address that only the
    /// application has when it does not take connections.
    private func runsApplication(_ heard: Advertisement, _ places: Whereabouts) async throws -> Bool {
        let isElsewhere = heard.address != places.bootloader
        guard heard.isConnectable else { return isElsewhere }
        do {
            return try await adapter.withConnection(to: heard.address, within: policy.connect) { client in
                try await !client.offers(places.entrance)
            }
        } catch AdapterError.noAnswer {
            return isElsewhere
        } catch let error as GATTError where error != .cancelled {
            return isElsewhere
        }
    }

    private func stillInBootloader(_ places: Whereabouts) -> UpdateFailure {
        UpdateFailure(
            .activationFailed, during: "waiting for the application",
            message: "\(places.bootloader) took the whole image and came back in its bootloader")
    }

    private func vanished(_ places: Whereabouts, _ completion: Completion) -> UpdateFailure {
        UpdateFailure(
            .didNotReappear, during: "waiting for the application",
            message: "\(places.bootloader) took the whole image and was not heard again for "
                + "\(Int(completion.patience.seconds)) s")
    }
}
