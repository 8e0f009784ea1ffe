import Bluetooth
import UpdateModel

/// The way to the first link.
extension UnitUpdate {
    mutating func begin() -> UnitStep {
        if let part = procedure.part { report(.part(part)) }
        report(.phase(.connecting))
        return change(to: .claiming, .claim(setup.address))
    }

    mutating func heardFirst(_ near: NearbyScan.State) throws(UpdateFailure) -> UnitStep {
        // A selected application that is silent has to be searched for.
        let isAssumed = setup.earlierScan.silentApplication != nil
        // A bootloader always sends the same frame. An application's battery level may be in any of several frames,
        // and none of them is received during a link.
        if near.isBootloader, !isAssumed { return try firstLink(near) }
        return change(to: .awaitingFrames, .listen(until: isAssumed ? .refusal : .frames))
    }

    /// The way to the first link; throws if the unit was not heard at the address by which it was selected.
    mutating func firstLink(_ near: NearbyScan.State) throws(UpdateFailure) -> UnitStep {
        if case .awaitingFrames = state, procedure.applicationAddresses == [.sameAddress] {
            // The unit has the same address in every program.
            emit(.closeNearbyScan)
        }
        if let refusal = near.refusal { throw refusal }
        let address = setup.address
        if let application = setup.earlierScan.silentApplication, near.others.contains(application) {
            throw UpdateFailure(
                .device.bootloaderAmbiguous, during: "looking for the device",
                message: "\(application) was selected and is heard now: \(address) is another beacon, or it "
                    + "was the same one before it returned to its application; nothing was sent",
                remedy: "run the same command again")
        }
        let others = near.others.union(setup.earlierScan.heard.subtracting([address]))
        guard near.selected != nil else { throw notHeardFailure(among: others) }
        note(others)
        return nextLink()
    }

    private func notHeardFailure(among others: Set<DeviceAddress>) -> UpdateFailure {
        let silence = "\(setup.address) was not heard for \(Int(setup.policy.search.seconds)) s"
        let application = procedure.applicationAddresses.map { $0.address(from: setup.address) }
            .first { others.contains($0) }
        guard let application else {
            return UpdateFailure(.device.deviceNotFound, during: "looking for the device", message: silence)
        }
        return UpdateFailure(
            .device.notInBootloader, during: "looking for the device",
            message: "\(silence), but \(application), which is probably the same unit in its application")
    }
}
