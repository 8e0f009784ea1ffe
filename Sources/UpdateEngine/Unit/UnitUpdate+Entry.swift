import Bluetooth
import UpdateModel

extension UnitUpdate {
    /// Sends the application at `address` to its bootloader; if the bootloader could be confused with another device,
    /// only once all devices nearby are known.
    mutating func leave(_ address: DeviceAddress, by entryCharacteristic: Characteristic)
        throws(UpdateFailure) -> UnitStep
    {
        guard let entry else { return disconnect(.application(address, blinking: nil)) }
        guard entries < order.policy.entries else { throw tooManyEntries(at: address) }
        // A bootloader with our name, or at the application's own address, cannot be confused with another device.
        let isUnmistakable =
            entry.mayName(enteringBy: entryCharacteristic)
            || entry.places(from: address, by: entryCharacteristic) == [address]
                && !takesNewcomer(for: address)
        return go(
            to: .clearing(address, entryCharacteristic: entryCharacteristic),
            .listen(until: isUnmistakable ? .selection : .end))
    }

    mutating func enter(
        from address: DeviceAddress, by entryCharacteristic: Characteristic, _ near: NearbyScan.State
    ) throws(UpdateFailure) -> UnitStep {
        note(near.others)
        let places = entry?.places(from: address, by: entryCharacteristic) ?? []
        try refuse(places, from: address, heard: others)
        entry?.choose(entryCharacteristic)
        candidates = CandidateAddresses(application: address, bootloader: address)
        return go(to: .entering(address), .enter(from: address, claiming: places))
    }

    /// Refuses to send the application at `address` to its bootloader if another device is `heard` at one of its
    /// `places`.
    func refuse(_ places: Set<DeviceAddress>, from address: DeviceAddress, heard: Set<DeviceAddress>)
        throws(UpdateFailure)
    {
        guard let taken = places.first(where: { $0 != address && heard.contains($0) }) else { return }
        throw UpdateFailure(
            .bootloaderAmbiguous, during: "entering the bootloader",
            message: "another beacon was heard at \(taken), which the bootloader of \(address) would use; "
                + "nothing was changed",
            remedy:
                "run the same command again if the unit itself was in its bootloader a moment ago; "
                + "otherwise switch off the other beacon"
        )
    }

    mutating func entered(_ handoff: BootloaderHandoff?, from address: DeviceAddress) -> UnitStep {
        if let handoff { return disconnect(.handedOver(handoff, from: address)) }
        guard case .leaving(let handoff)? = entry?.linkEnded() else { return disconnect(.lost) }
        return disconnect(.handedOver(handoff, from: address))
    }

    /// Finds the unit again after its application at `address` was told to leave.
    mutating func follow(_ handoff: BootloaderHandoff, from address: DeviceAddress) -> UnitStep {
        entries += 1
        seen.program = .unknown
        let lock = BootloaderLock(
            on: address, handoff, others: others, areAllKnown: knowsOthers || proven != nil, known: proven,
            takingNewcomerWith: takesNewcomer(for: address) ? procedure.targetSignature.control.service : nil,
            noting: procedure.targetSignature.control.service)
        return go(
            to: .finding(handoff, from: address), .find(lock, within: order.policy.search))
    }

    /// By Nordic's convention the bootloader of a random address is at the next one; there is no rule for public
    /// addresses.
    private func takesNewcomer(for address: DeviceAddress) -> Bool {
        order.policy.takesOnlyNewcomer && address.kind == .public
    }

    mutating func found(
        _ verdict: BootloaderLock.Verdict?, after handoff: BootloaderHandoff, from application: DeviceAddress
    ) throws(UpdateFailure) -> UnitStep {
        var bootloader = application
        switch verdict {
        case .found(let address):
            bootloader = address
            approach = .heard
            if address != application { seen = DeviceSighting(program: .bootloader, address: address) }
        case .assumed(let address, let reason):
            bootloader = address
            approach = .heard
            seen = DeviceSighting(program: .bootloader, address: address)
            let words = "assuming that \(address) is the bootloader of \(application): \(reason)"
            tell(.report(.warning(.bootloaderAssumed, words)))
        case .stayed: approach = .search
        case .ambiguous(let reason):
            throw UpdateFailure(
                .bootloaderAmbiguous, during: "looking for the bootloader",
                message: "\(reason); nothing was sent to any of them")
        case .missing, nil:
            if case .missing(let arrivals) = verdict { self.arrivals = arrivals }
            guard handoff.mayBeInaudible else {
                throw bootloaderNotFound(
                    "\(application) left its application, and its bootloader was not heard for "
                        + "\(Int(order.policy.search.seconds)) s")
            }
            // Only the unit itself can respond at its own address.
            approach = .inaudible
            mayBeInaudible = true
        }
        let isStaying = verdict == .stayed
        tell(.log("the bootloader of \(application) \(isStaying ? "did not start" : "is at \(bootloader)")"))
        candidates = CandidateAddresses(application: application, bootloader: bootloader)
        links.forgive()
        return nextLink()
    }
}

extension BootloaderEntry {
    /// The possible addresses of the bootloader of the application at `address`.
    fileprivate func places(
        from address: DeviceAddress, by entryCharacteristic: Characteristic
    ) -> Set<DeviceAddress> {
        Set(expectedAddresses(enteringBy: entryCharacteristic).map { $0.address(from: address) })
    }
}
