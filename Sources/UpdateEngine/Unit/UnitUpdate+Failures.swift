import Bluetooth
import UpdateModel

extension UnitUpdate {
    /// A part is installed, but the application that appeared at `heard` may not be the unit's, because the unit was
    /// selected by its bootloader.
    private func partsLeft(_ part: UpdatePart, at heard: DeviceAddress) -> UpdateFailure {
        UpdateFailure(
            .partsLeft, during: "looking for the bootloader",
            message:
                "of \(part.count) parts, \(part.before ?? "none is installed"); then an application "
                + "appeared at \(heard), which may be another beacon's, because "
                + "\(candidates.target) was selected: \(part) was not sent",
            remedy:
                "run the same command with \(.device, heard.description) if that is this beacon: the part "
                + "that it has is skipped, "
                + "and the \(part.title) is sent")
    }

    /// An application responds where another program is expected.
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
                    "\(heard), assumed to be the bootloader of \(order.address), has no service for such "
                    + "firmware; nothing was sent to it")
        }
        if let part = procedure.part, part.number > 1 { return partsLeft(part, at: heard) }
        return links.tried == 1
            ? UpdateFailure(
                .notInBootloader, during: "connecting",
                message: "\(heard) runs its application, not its bootloader")
            : UpdateFailure(
                .leftBootloader, during: "looking for the bootloader",
                message: "\(candidates.target) returned to its application before it had the whole image")
    }

    /// The selected application is silent, and the program that takes updates at the next address is not known to be
    /// its bootloader.
    func strangerAbove(at address: DeviceAddress) -> UpdateFailure {
        let application = order.neighbours.absent ?? address.neighbour(-1)
        return UpdateFailure(
            .bootloaderAmbiguous, during: "looking for the device",
            message:
                "\(application) is silent, and nothing identifies the program that takes updates at \(address) as its "
                + "bootloader: it may be another beacon; nothing was sent to it",
            remedy: "switch \(application) on, or start its bootloader, and run the same command again")
    }

    func tooManyEntries(at address: DeviceAddress) -> UpdateFailure {
        proven != nil
            ? UpdateFailure(
                .leftBootloader, during: "looking for the bootloader",
                message: "\(address) was sent to its bootloader \(entries) times, but returned before it "
                    + "had the whole image")
            : UpdateFailure(
                .bootloaderNotEntered, during: "entering the bootloader",
                message: "\(address) was told \(entries) times to start its bootloader, but still runs "
                    + "its application")
    }

    /// The bootloader has none of the expected addresses; the failure lists new devices at others.
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
            message: arrivals.isEmpty ? message : "\(message); since then \(names) appeared as a bootloader",
            remedy: arrivals.isEmpty ? nil : advice)
    }

    /// The policy's number of fruitless links is reached.
    func lostForGood() -> UpdateFailure {
        let place = candidates.target
        let fruitless = links.fruitless
        let isInaudible = approach == .inaudible
        guard links.hasStood || isInaudible else {
            return UpdateFailure(
                .connectionNotEstablished, during: "connecting",
                message: "\(place) was heard, but could not be connected in "
                    + "\(fruitless == 1 ? "one attempt" : "\(fruitless) attempts")")
        }
        return isInaudible && proven == nil
            ? bootloaderNotFound(
                "\(place) left its application, its bootloader was not heard for "
                    + "\(Int(order.policy.search.seconds)) s, and \(place) does not respond")
            : UpdateFailure(
                .linkLost, during: "transferring",
                message: "the link to \(place) was lost \(fruitless == 1 ? "once" : "\(fruitless) times") "
                    + "without progress")
    }
}

extension UpdateFailure {
    /// The failure of a device that was restarted to begin again, but started its application at `address`.
    fileprivate func thenStarted(_ address: DeviceAddress) -> UpdateFailure {
        UpdateFailure(
            code, during: during,
            message: "\(message); it was restarted and now runs its application at \(address)",
            remedy: remedy ?? "run the same command again")
    }
}
