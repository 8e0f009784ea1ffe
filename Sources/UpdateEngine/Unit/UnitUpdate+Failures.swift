import BluetoothTypes
import FirmwareModel
import UpdateCore

extension UnitUpdate {
    /// A part is installed, and the application that came up at `heard` is not known for certain to be the unit's: its
    /// bootloader was what was selected.
    private func partsLeft(_ part: UpdatePart, at heard: DeviceAddress) -> UpdateFailure {
        UpdateFailure(
            .partsLeft, during: "looking for the bootloader",
            message:
                "of \(part.count) parts, \(part.before ?? "none is installed"); then an application started at \(heard), which may be another beacon's, because "
                + "\(candidates.target) was selected: \(part) was not sent",
            remedy:
                "run the same command with \(.device, heard.description) if that is this beacon: the part that it has is passed "
                + "over, and the \(part.title) is sent")
    }

    /// An application answers where another program should.
    func applicationInTheWay(at heard: DeviceAddress) -> UpdateFailure {
        if let repeating { return repeating.thenStarted(heard) }
        if let absence = procedure.targetSignature.absence { return absence }
        if procedure.targetSignature.isApplication {
            return UpdateFailure(
                .updateServiceMissing, during: "connecting",
                message: "\(heard) has no service that takes such firmware")
        }
        if entries > 0, proven == nil, heard == candidates.target, heard != candidates.certain {
            return UpdateFailure(
                .updateServiceMissing, during: "connecting",
                message:
                    "\(heard), where the bootloader of \(order.address) has come up, has no service that takes such "
                    + "firmware; nothing was sent to it")
        }
        if let part = procedure.part, part.number > 1 { return partsLeft(part, at: heard) }
        return links.tried == 1
            ? UpdateFailure(
                .notInBootloader, during: "connecting",
                message: "\(heard) runs its application, not its bootloader")
            : UpdateFailure(
                .leftBootloader, during: "looking for the bootloader",
                message: "\(candidates.target) went back to its application before it had the whole image")
    }

    /// The application that was selected is silent, and what takes the update above it is not its bootloader.
    func strangerAbove(at address: DeviceAddress) -> UpdateFailure {
        let application = order.neighbours.absent ?? address.neighbour(-1)
        return UpdateFailure(
            .bootloaderAmbiguous, during: "looking for the device",
            message:
                "\(application) is silent, and what takes updates at \(address) does not show that it is its "
                + "bootloader: it may be another beacon; nothing was sent to it",
            remedy: "switch \(application) on, or start its bootloader, and run the same command again")
    }

    func tooManyEntries(at address: DeviceAddress) -> UpdateFailure {
        proven != nil
            ? UpdateFailure(
                .leftBootloader, during: "looking for the bootloader",
                message: "\(address) was sent to its bootloader \(entries) times and came back before it "
                    + "had the whole image")
            : UpdateFailure(
                .bootloaderNotEntered, during: "entering the bootloader",
                message: "\(address) was told \(entries) times to start its bootloader and still runs "
                    + "its application")
    }

    /// The bootloader is nowhere where it may be; who has come up elsewhere is named.
    func bootloaderNotFound(_ message: String) -> UpdateFailure {
        let names = arrivals.map(\.description).joined(separator: ", ")
        let place = arrivals.count == 1 ? arrivals.first?.address.description ?? "" : "ADDRESS"
        let advice: Advice =
            (arrivals.count == 1
                ? "if that is this beacon's bootloader, "
                : "find out which of them is this beacon's bootloader, and ")
            + "run the same command with \(.device, place)"
        return UpdateFailure(
            .bootloaderNotFound, during: "looking for the bootloader",
            message: arrivals.isEmpty ? message : "\(message); since then \(names) came up as a bootloader",
            remedy: arrivals.isEmpty ? nil : advice)
    }

    /// As many links as the policy allows came to nothing.
    func lostForGood() -> UpdateFailure {
        let place = candidates.target
        let fruitless = links.fruitless
        let isInaudible = approach == .inaudible
        guard links.hasStood || isInaudible else {
            return UpdateFailure(
                .connectionNotEstablished, during: "connecting",
                message: "\(place) was heard, and no link to it came about in "
                    + "\(fruitless == 1 ? "one attempt" : "\(fruitless) attempts")")
        }
        return isInaudible && proven == nil
            ? bootloaderNotFound(
                "\(place) left its application; its bootloader was not heard for "
                    + "\(Int(order.policy.search.seconds)) s, and nobody answers at \(place)")
            : UpdateFailure(
                .linkLost, during: "transferring",
                message: "the link to \(place) was lost \(fruitless == 1 ? "once" : "\(fruitless) times") "
                    + "without progress")
    }
}

extension UpdateFailure {
    /// The failure of a device that restarted to begin again, and started its application at `address`.
    fileprivate func thenStarted(_ address: DeviceAddress) -> UpdateFailure {
        UpdateFailure(
            code, during: during,
            message: "\(message); it was restarted, and runs its application at \(address)",
            remedy: remedy ?? "run the same command again")
    }
}
