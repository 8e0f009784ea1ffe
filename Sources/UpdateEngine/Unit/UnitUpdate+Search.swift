import Bluetooth
import UpdateModel

extension UnitUpdate {
    mutating func begin() -> UnitStep {
        if let part = procedure.part { report(.part(part)) }
        report(.phase(.connecting))
        return go(to: .claiming, .claim(order.address))
    }

    mutating func heardFirst(_ near: NearbyScan.State) throws(UpdateFailure) -> UnitStep {
        // A selected application that is silent has to be searched for.
        let isAssumed = order.neighbours.absent != nil
        // A bootloader always sends the same frame. An application's battery level may be in any of several frames,
        // and none of them is received during a link.
        if near.isBootloader, !isAssumed { return try firstLink(near) }
        return go(to: .awaitingFrames, .listen(until: isAssumed ? .refusal : .frames))
    }

    /// The way to the first link; throws if the unit was not heard at the address by which it was selected.
    mutating func firstLink(_ near: NearbyScan.State) throws(UpdateFailure) -> UnitStep {
        if case .awaitingFrames = state, procedure.applicationAddresses == [.sameAddress] {
            // The unit has the same address in every program.
            tell(.closeNearbyScan)
        }
        if let refusal = near.refusal { throw refusal }
        let address = order.address
        if let application = order.neighbours.absent, near.others.contains(application) {
            throw UpdateFailure(
                .device.bootloaderAmbiguous, during: "looking for the device",
                message: "\(application) was selected and is heard now: \(address) is another beacon, or it "
                    + "was the same one before it returned to its application; nothing was sent",
                remedy: "run the same command again")
        }
        let others = near.others.union(order.neighbours.heard.subtracting([address]))
        guard near.selected != nil else { throw unheard(others) }
        note(others)
        return nextLink()
    }

    private func unheard(_ others: Set<DeviceAddress>) -> UpdateFailure {
        let silence = "\(order.address) was not heard for \(Int(order.policy.search.seconds)) s"
        let application = procedure.applicationAddresses.map { $0.address(from: order.address) }
            .first { others.contains($0) }
        guard let application else {
            return UpdateFailure(.device.deviceNotFound, during: "looking for the device", message: silence)
        }
        return UpdateFailure(
            .device.notInBootloader, during: "looking for the device",
            message: "\(silence), but \(application), which is probably the same unit in its application")
    }

    /// The way to the next link: the unit has to be heard first, if possible.
    mutating func nextLink() -> UnitStep {
        links.endingBefore = procedure.linkEnded()
        if links.tried > 0 { report(.phase(.connecting)) }
        switch approach {
        case .heard:
            approach = .search
            return connect(to: candidates.target)
        case .inaudible: return connect(to: candidates.target)
        case .search: return go(to: .awaitingNearbyScan, .listen(until: .end))
        }
    }

    mutating func search(_ near: NearbyScan.State) -> UnitStep {
        note(near.others)
        let limit = timeout(after: procedure.linkEnded())
        return go(to: .searching(limit), .search(candidates.all, within: limit))
    }

    mutating func heard(_ report: Advertisement?, within limit: Duration) throws(UpdateFailure) -> UnitStep {
        guard let report else {
            if mayBeInaudible { return connect(to: candidates.target) }
            seen.program = .unknown
            throw UpdateFailure(
                .device.linkLost, during: "looking for the device",
                message: "\(candidates.target) was not heard for \(Int(limit.seconds)) s")
        }
        // A bootloader always accepts connections; an application may not. One that can be told to start its bootloader
        // does, even if it sends frames that are not connectable in between.
        guard
            report.isConnectable != false || report.address == candidates.target
                || entry != nil && maySend(applicationAt: report.address)
        else {
            return try conclude(.application(candidates.application.first ?? candidates.target, showing: nil))
        }
        return connect(to: report.address)
    }

    private mutating func connect(to address: DeviceAddress) -> UnitStep {
        let entryCharacteristics = maySend(applicationAt: address) ? entry?.entryCharacteristics ?? [] : []
        return go(
            to: .connecting(address),
            .connect(
                address,
                ProgramQuestions(
                    targetSignature: procedure.targetSignature, entryCharacteristics: entryCharacteristics,
                    expectedVersion: procedure.expectedVersion,
                    knowsVersion: knowsVersion, identifies: !(procedure is any IdentifyingProcedure),
                    isAssumed: order.neighbours.absent != nil && !order.neighbours.isReached && proven == nil
                        && order.policy.choices.bootloader == nil
                        || address == candidates.alternative && candidates.certain == nil)))
    }

    /// Whether the version of the program that takes the update is known and cannot have changed.
    private var knowsVersion: Bool {
        if case .perhapsDone = procedure.linkEnded() { return false }
        return proven != nil
    }

    /// Whether the application at `address` is certainly this unit's and may be sent to its bootloader.
    func maySend(applicationAt address: DeviceAddress) -> Bool {
        if case .perhapsDone = procedure.linkEnded() { return false }
        if entries == 0, let application = order.neighbours.absent {
            // An application heard before the first link was there at the same time as the bootloader, so it is
            // another unit.
            return address == application && proven != nil && !others.contains(application)
        }
        // Between two parts the application may be back at the address that was selected, where its bootloader was.
        let isBetweenParts = (procedure.part?.number ?? 1) > 1
        return candidates.certain.map { $0 == address }
            ?? (address == candidates.target && (proven == nil || isBetweenParts))
    }

    /// How long to search for the device; longer for one that may be installing its image.
    private func timeout(after ending: DisconnectMeaning) -> Duration {
        switch ending {
        case .interrupted, .refused: order.policy.search
        case .restarting(let timeout): max(order.policy.search, timeout)
        case .perhapsDone(let completion): max(order.policy.search, completion.timeout)
        }
    }
}
