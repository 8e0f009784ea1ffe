import Bluetooth
import UpdateModel

extension UnitUpdate {
    /// Sends the application at `address` to its bootloader; if the bootloader could be confused with another device,
    /// only once all devices nearby are known.
    mutating func leave(_ address: DeviceAddress, by entryCharacteristic: Characteristic)
        throws(UpdateFailure) -> UnitStep
    {
        guard let entry else { return disconnect(.application(address, showing: nil)) }
        guard entries < setup.policy.entries else { throw tooManyEntries(at: address) }
        // A bootloader with a name that it was given, or at the application's own address, cannot be confused with another
        // device.
        let isUnmistakable =
            entry.mayName(enteringBy: entryCharacteristic) && selector == nil
            || places(of: entry, from: address, by: entryCharacteristic) == [address]
                && !takesNewcomer(for: address)
        return change(
            to: .awaitingScanBeforeEntry(address, entryCharacteristic: entryCharacteristic),
            .listen(until: isUnmistakable ? .selection : .end))
    }

    mutating func enter(
        from address: DeviceAddress, by entryCharacteristic: Characteristic, _ near: NearbyScan.State
    ) throws(UpdateFailure) -> UnitStep {
        note(near.others)
        let places = entry.map { self.places(of: $0, from: address, by: entryCharacteristic) } ?? []
        try refuse(places, from: address, heard: others)
        entry?.choose(entryCharacteristic)
        candidates = CandidateAddresses(application: address, bootloader: address)
        return change(to: .entering(address), .enter(from: address, claiming: places))
    }

    /// Refuses to send the application at `address` to its bootloader if another device is `heard` at one of its
    /// `places`.
    func refuse(_ places: Set<DeviceAddress>, from address: DeviceAddress, heard: Set<DeviceAddress>)
        throws(UpdateFailure)
    {
        guard let taken = places.first(where: { $0 != address && heard.contains($0) }) else { return }
        throw UpdateFailure(
            .device.bootloaderAmbiguous, during: "entering the bootloader",
            message: "another beacon was heard at \(taken), which the bootloader of \(address) would use; "
                + "nothing was changed",
            remedy: "run the same command again if the unit itself was in its bootloader a moment ago; "
                + "otherwise switch off the other beacon"
        )
    }

    /// Finds the unit again after its application at `address` was told to leave.
    mutating func follow(_ handoff: BootloaderHandoff, from address: DeviceAddress) -> UnitStep {
        entries += 1
        seen.program = .unknown
        let lock = BootloaderLock(
            on: address, handoff, others: others, areAllKnown: knowsOthers || receiverAddress != nil,
            known: receiverAddress,
            takingNewcomerWith: takesNewcomer(for: address) ? procedure.targetSignature.control.service : nil,
            noting: procedure.targetSignature.control.service, choosing: selector)
        return change(
            to: .finding(handoff, from: address), .find(lock, within: setup.policy.bootloaderSearch))
    }

    /// Whether the only new bootloader may be taken for the unit's: no rule predicts its address if the application's
    /// is public. By Nordic's convention the bootloader of a random address is at the next one.
    private func takesNewcomer(for address: DeviceAddress) -> Bool {
        setup.policy.takesOnlyNewcomer && address.kind == .public && selector == nil
    }

    private var selector: BootloaderSelector? { setup.policy.choices.bootloader }

    /// The possible addresses of the bootloader of the application at `address`; none if the user has chosen a name.
    private func places(
        of entry: any BootloaderEntry, from address: DeviceAddress, by entryCharacteristic: Characteristic
    ) -> Set<DeviceAddress> {
        selector.map { Set($0.addresses) }
            ?? Set(entry.expectedAddresses(enteringBy: entryCharacteristic).map { $0.address(from: address) })
    }

    mutating func found(
        _ verdict: BootloaderLock.Verdict?, after handoff: BootloaderHandoff, from application: DeviceAddress
    ) throws(UpdateFailure) -> UnitStep {
        var bootloader = application
        switch verdict {
        case .found(let address):
            bootloader = address
            audibility = .heard
            if address != application { seen = DeviceSighting(program: .bootloader, address: address) }
        case .assumed(let address, let reason):
            bootloader = address
            audibility = .heard
            seen = DeviceSighting(program: .bootloader, address: address)
            let words = "assuming that \(address) is the bootloader of \(application): \(reason)"
            warn(.device.bootloaderAssumed, words)
        case .stayed: audibility = .unknown
        case .ambiguous(let reason):
            throw UpdateFailure(
                .device.bootloaderAmbiguous, during: "looking for the bootloader",
                message: "\(reason); nothing was sent to any of them")
        case .missing, nil:
            if case .missing(let arrivals) = verdict { self.arrivals = arrivals }
            guard handoff.mayBeInaudible, selector?.addresses.contains(application) ?? true else {
                throw bootloaderNotFound(
                    "\(application) left its application, and "
                        + (selector.map { "no new bootloader matched \($0)" }
                            ?? "its bootloader was not heard")
                        + " for \(Int(setup.policy.bootloaderSearch.seconds)) s", of: application)
            }
            // Only the unit itself can respond at its own address.
            audibility = .inaudible
            mayBeInaudible = true
        }
        let isStaying = verdict == .stayed
        emit(.log("the bootloader of \(application) \(isStaying ? "did not start" : "is at \(bootloader)")"))
        candidates = CandidateAddresses(application: application, bootloader: bootloader)
        links.resetFruitlessLinks()
        return nextLink()
    }

    /// The failure if a part is installed, but the application that appeared at `heard` may not be the unit's, because
    /// the unit was selected by its bootloader.
    private func partsLeft(_ part: UpdatePart, at heard: DeviceAddress) -> UpdateFailure {
        UpdateFailure(
            .device.partsLeft, during: "looking for the bootloader",
            message: "of \(part.count) parts, \(part.before ?? "none is installed"); then an application "
                + "appeared at \(heard), which may be another beacon's, because \(candidates.target) was "
                + "selected: \(part) was not sent",
            remedy: "run the same command with \(.device, heard.description) if that is this beacon: the "
                + "part that it has is skipped, and the \(part.title) is sent")
    }

    /// The failure if an application responds where another program is expected.
    func unexpectedApplication(at heard: DeviceAddress) -> UpdateFailure {
        if let repeating { return repeating.nowRunningApplication(at: heard) }
        if let failure = procedure.targetSignature.unsupportedFailure { return failure }
        if procedure.targetSignature.isApplication {
            return UpdateFailure(
                .device.updateServiceMissing, during: "connecting",
                message: "\(heard) has no service that takes such firmware")
        }
        if entries > 0, receiverAddress == nil, heard == candidates.target,
            heard != candidates.knownApplication
        {
            return UpdateFailure(
                .device.updateServiceMissing, during: "connecting",
                message: "\(heard), assumed to be the bootloader of \(setup.address), has no service for "
                    + "such firmware; nothing was sent to it")
        }
        if let part = procedure.part, part.number > 1 { return partsLeft(part, at: heard) }
        return links.tried == 1
            ? UpdateFailure(
                .device.notInBootloader, during: "connecting",
                message: "\(heard) runs its application, not its bootloader")
            : UpdateFailure(
                .device.leftBootloader, during: "looking for the bootloader",
                message: "\(candidates.target) returned to its application before it had the whole image")
    }

    /// The failure if the selected application is silent, and the program that takes updates at the next address is not
    /// known to be its bootloader.
    func unidentifiedBootloader(at address: DeviceAddress) -> UpdateFailure {
        let application = setup.earlierScan.silentApplication ?? address.neighbour(-1)
        return UpdateFailure(
            .device.bootloaderAmbiguous, during: "looking for the device",
            message: "\(application) is silent, and nothing identifies the program that takes updates at "
                + "\(address) as its bootloader: it may be another beacon; nothing was sent to it",
            remedy: "switch \(application) on, or start its bootloader, and run the same command again")
    }

    func tooManyEntries(at address: DeviceAddress) -> UpdateFailure {
        receiverAddress != nil
            ? UpdateFailure(
                .device.leftBootloader, during: "looking for the bootloader",
                message: "\(address) was sent to its bootloader \(entries) times, but returned before it "
                    + "had the whole image")
            : UpdateFailure(
                .device.bootloaderNotEntered, during: "entering the bootloader",
                message: "\(address) was told \(entries) times to start its bootloader, but still runs "
                    + "its application")
    }

    /// The failure if the bootloader has none of the expected addresses; it lists new devices at other addresses.
    func bootloaderNotFound(_ message: String, of application: DeviceAddress) -> UpdateFailure {
        let names = arrivals.map(\.description).joined(separator: ", ")
        let place = arrivals.count == 1 ? arrivals.first?.address.text ?? "" : "ADDRESS"
        var advice: Advice =
            (arrivals.count == 1
                ? "if that is this beacon's bootloader, "
                : "find out which of them is this beacon's bootloader, and ")
            + "run the same command with \(.device, application.text) \(.bootloader, place)"
        if let selector { advice = advice + " instead of \(.bootloader, "\(selector)")" }
        return UpdateFailure(
            .device.bootloaderNotFound, during: "looking for the bootloader",
            message: arrivals.isEmpty ? message : "\(message); since then \(names) appeared as a bootloader",
            remedy: arrivals.isEmpty ? nil : advice)
    }
}

extension DeviceAddress {
    /// The address as a user selects it: with its type if it is not the usual one.
    fileprivate var text: String { kind == .random ? "\(self)" : "\(self)/\(kind.rawValue)" }
}

extension UpdateFailure {
    /// The failure of a device that was restarted to begin again, but started its application at `address`.
    fileprivate func nowRunningApplication(at address: DeviceAddress) -> UpdateFailure {
        UpdateFailure(
            code, during: during,
            message: "\(message); it was restarted and now runs its application at \(address)",
            remedy: remedy ?? "run the same command again")
    }
}
