import BluetoothTypes
import FirmwareModel
import Radio
import UpdateCore

extension UnitUpdate {
    mutating func begin() -> UnitStep {
        if let part = procedure.part { report(.part(part)) }
        report(.phase(.connecting))
        return go(to: .claiming, .claim(order.address))
    }

    mutating func heardFirst(_ near: NearbyScan.State) throws(UpdateFailure) -> UnitStep {
        // An application that was selected and is silent has to be listened for.
        let isAssumed = order.neighbours.absent != nil
        // A bootloader always sends the same frame. What an application says of its battery may be in any of
        // several, and none of them is heard while a link stands.
        if near.isBootloader, !isAssumed { return try firstLink(near) }
        return go(to: .awaitingFrames, .listen(until: isAssumed ? .refusal : .frames))
    }

    /// The unit has to have been heard at the address by which it was selected.
    mutating func firstLink(_ near: NearbyScan.State) throws(UpdateFailure) -> UnitStep {
        if case .awaitingFrames = state, procedure.applicationAddresses == [.sameAddress] {
            // It will be at the same address in every program.
            tell(.closeNearbyScan)
        }
        if let refusal = near.refusal { throw refusal }
        let address = order.address
        if let application = order.neighbours.absent, near.others.contains(application) {
            throw UpdateFailure(
                .bootloaderAmbiguous, during: "looking for the device",
                message:
                    "\(application) was selected and is heard after all: \(address) is another device, or it was "
                    + "the same one before it went back to its application; nothing was sent",
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
            return UpdateFailure(.deviceNotFound, during: "looking for the device", message: silence)
        }
        return UpdateFailure(
            .notInBootloader, during: "looking for the device",
            message: "\(silence), but \(application), which is probably the same unit in its application")
    }

    /// The way to the next link: the unit has to be heard first, where that can be.
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
                .linkLost, during: "looking for the device",
                message: "\(candidates.target) was not heard for \(Int(limit.seconds)) s")
        }
        // A bootloader always takes connections; an application need not. One that was sent to its bootloader
        // did, and may show other frames in between.
        guard
            report.isConnectable != false || report.address == candidates.target
                || entry != nil && maySend(applicationAt: report.address)
        else {
            return try conclude(
                .application(candidates.application.first ?? candidates.target, blinking: nil))
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
                        || address == candidates.alternative && candidates.certain == nil)))
    }

    /// Whether the version of the program that takes the update is known, and cannot have changed since.
    private var knowsVersion: Bool {
        if case .perhapsDone = procedure.linkEnded() { return false }
        return proven != nil
    }

    /// Whether the application at `address` is this unit's beyond doubt, and may be sent to its bootloader.
    func maySend(applicationAt address: DeviceAddress) -> Bool {
        if case .perhapsDone = procedure.linkEnded() { return false }
        if entries == 0, let application = order.neighbours.absent {
            // One that was heard before the first link was heard beside the bootloader, so it is another unit.
            return address == application && proven != nil && !others.contains(application)
        }
        // Between two parts the application may be back where its bootloader was, at the address that was selected.
        let isBetweenParts = (procedure.part?.number ?? 1) > 1
        return candidates.certain.map { $0 == address }
            ?? (address == candidates.target && (proven == nil || isBetweenParts))
    }

    /// How long to look for the device: one that may be installing its image takes as long as that takes.
    private func timeout(after ending: DisconnectMeaning) -> Duration {
        switch ending {
        case .interrupted, .refused: order.policy.search
        case .restarting(let timeout): max(order.policy.search, timeout)
        case .perhapsDone(let completion): max(order.policy.search, completion.timeout)
        }
    }
}
