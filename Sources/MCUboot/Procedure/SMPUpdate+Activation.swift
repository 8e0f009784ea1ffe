import UpdateModel

/// From the last byte to the restart (docs/protocols/mcuboot-smp.md, Activation).
extension SMPUpdate {
    /// The maximum number of marks, for each image on average, and of requests to restart.
    static let maximumMarks = 4
    static let maximumStarts = 3

    /// Checks the list after the uploads: it has to contain each image with the hash by which it will be marked.
    mutating func checkUploads() throws(UpdateFailure) -> UpdateStep {
        try checkImages()
        for index in parts.indices {
            let part = parts[index]
            guard !runs(part), stored(part) == nil, !isUnlisted(part) else { continue }
            link.upload = UploadState(index: index, window: UploadWindow(limit: link.window))
            return try beginAgain(
                .smp.imageNotKept,
                "the beacon has taken the whole \(part.upload.title), but does not list it")
        }
        return try activate()
    }

    /// Erases the settings if that is requested, and marks the images.
    mutating func activate() throws(UpdateFailure) -> UpdateStep {
        guard !preferences.erasesStorage || counts.hasErasedStorage else {
            effect = effect ?? .intact
            return activating(ask(.eraseStorage))
        }
        return markNext()
    }

    /// Goes on although the settings were not erased: new firmware rarely needs that.
    mutating func continueWithoutErasing(_ words: String) -> UpdateStep {
        counts.hasErasedStorage = true
        return markNext().after([.warning(.smp.storageNotErased, "the beacon \(words)")])
    }

    /// `step`, with the notice that the activation begins if it is the first one of the link.
    mutating func activating(_ step: UpdateStep) -> UpdateStep {
        guard !link.hasActivated else { return step }
        link.hasActivated = true
        return step.after([.phase(.activating)])
    }

    /// Marks the next image, the one with the highest number first: MCUboot on an nRF5340 skips a network
    /// core that is marked after the application. Then restarts the beacon.
    private mutating func markNext() -> UpdateStep {
        stage = max(stage, .marking)
        effect = effect ?? .intact
        // An image that another core has installed is no longer in its slot, so it cannot be marked again.
        let open = parts.indices.filter { index in
            let part = parts[index]
            return !runs(part) && !isMarked(part) && (stored(part) != nil || isUnlisted(part))
        }
        guard marksImages, let index = open.max(by: { parts[$0].upload.image < parts[$1].upload.image })
        else { return start() }
        return mark(index)
    }

    /// Marks an image. From then on any restart may install it, even one caused by a weak battery.
    private mutating func mark(_ index: Int) -> UpdateStep {
        effect = .unknown
        counts.marks += 1
        return activating(ask(.mark(index)))
    }

    private var mayMark: Bool { counts.marks < Self.maximumMarks * parts.count }

    /// Whether the bootloader installs the image that is marked; if not, it starts the highest version.
    var marksImages: Bool { facts.mode != .directXIP && !facts.refusesMarks }

    /// Whether an uploaded image may run after any restart, because the bootloader starts the highest version.
    var startsUnmarked: Bool {
        switch facts.mode {
        case .directXIP, .ramLoad: true
        case nil: facts.refusesMarks || parts.contains { $0.upload.slot != nil || $0.upload.hasAddress }
        default: false
        }
    }

    func isMarked(_ part: Part) -> Bool { stored(part).map { $0.isPending || $0.isPermanent } ?? false }

    /// Checks the answer to a mark by the list in it, `slots`; requests the list if the server has not sent it.
    mutating func checkMark(_ index: Int, by slots: [SlotState]?) throws(UpdateFailure) -> UpdateStep {
        guard let slots, !slots.isEmpty else { return ask(.images(.marked(index))) }
        link.slots = slots
        noteEffect()
        guard isMarked(parts[index]) || runs(parts[index]) else { throw notMarked(index) }
        return try continueMarking(after: index)
    }

    /// Checks the list after a mark whose answer was lost, or did not contain the list.
    mutating func checkMark(_ index: Int) throws(UpdateFailure) -> UpdateStep {
        guard !isMarked(parts[index]), !runs(parts[index]) else { return try continueMarking(after: index) }
        guard mayMark else { throw notMarked(index) }
        return mark(index)
    }

    /// Continues after the mark of an image. Marks are limited, because each may make a beacon remove those of others.
    private mutating func continueMarking(after index: Int) throws(UpdateFailure) -> UpdateStep {
        let isOver = parts.allSatisfy { runs($0) || isMarked($0) }
        guard isOver || mayMark else { throw notMarked(index) }
        return markNext()
    }

    mutating func handleMarkRefusal(_ error: SMPError, of index: Int) throws(UpdateFailure) -> UpdateStep {
        if error.isUnsupported, [nil, .directXIP, .ramLoad].contains(facts.mode) {
            facts.refusesMarks = true
            return start()
        }
        // Zephyr confirms other cores' images only if it is built for that.
        if error.isDenied, preferences.confirmation == .now, parts[index].upload.image != 0,
            counts.onlyTested.insert(index).inserted
        {
            return ask(.mark(index))
        }
        // The image may be marked already, by a request whose answer was lost.
        if error.isOccupied, mayMark { return ask(.images(.marked(index))) }
        noteEffect()
        throw addingWaitingImages(to: refusal(of: "to mark the \(parts[index].upload.title)", error))
    }

    /// `failure` with the images that wait already: the next restart installs them without the others.
    private func addingWaitingImages(to failure: UpdateFailure) -> UpdateFailure {
        guard !waiting.isEmpty else { return failure }
        let words = waiting.map(\.upload.words).joined(separator: " and ")
        return UpdateFailure(
            failure.code, during: failure.during,
            message: "\(failure.message); the next restart of the beacon installs \(words) without it",
            remedy:
                "keep the beacon switched on, and update it with a file that it accepts: after a restart, "
                + "the new image may not work with the present ones")
    }

    private func notMarked(_ index: Int) -> UpdateFailure {
        let upload = parts[index].upload
        return addingWaitingImages(
            to:
                failure(
                    .smp.downgradePrevented,
                    "the beacon does not mark the \(upload.title) \(upload.version) for the next restart, "
                        + "and runs \(current(parts[index]))"))
    }

    private mutating func start() -> UpdateStep {
        counts.starts += 1
        stage = .restarting
        (isRestarting, effect) = (true, .unknown)
        var notices: [UpdateNotice] = []
        if preferences.confirmation == .test {
            if !marksImages || facts.mode == .overwriteOnly {
                notices.append(.warning(.smp.noWayBack, "the beacon's bootloader knows no test of an image"))
            } else if let part = waiting.first(where: { stored($0)?.isPermanent ?? false }) {
                notices.append(
                    .warning(
                        .smp.noWayBack, "\(part.upload.words) is marked for good already, not for a test"))
            }
        }
        return activating(ask(.reset).after(notices + [.detail(.rebootSent)]))
    }

    /// Starts a reverted image once more: any restart reverts an unconfirmed image, even one caused by a weak battery.
    mutating func startReverted() throws(UpdateFailure) -> UpdateStep {
        counts.reversions += 1
        (stage, effect) = (.marking, .intact)
        return (try endPartialTest() ?? markNext()).after([.retry(reason: .smp.imageReverted, from: total)])
    }

    /// Restarts a beacon that tests only some of the images: the restart that starts the others would undo
    /// that test. Nil if the beacon does not.
    mutating func endPartialTest() throws(UpdateFailure) -> UpdateStep? {
        guard marksImages, !parts.allSatisfy(runs) else { return nil }
        for part in parts {
            guard let running = running(part), !running.isConfirmed else { continue }
            let hasPrevious = link.slots.contains { slot in
                slot.image == running.image && slot.slot != running.slot && slot.isConfirmed
            }
            guard hasPrevious else { continue }
            return try freeSlot(.smp.unconfirmedImage, "the beacon tries only a part of the update", running)
        }
        return nil
    }

    /// Tells the unit to restart again, because the list shows that it has not restarted.
    mutating func startAgain(_ slot: SlotState) throws(UpdateFailure) -> UpdateStep {
        // A request may be lost once; more restarts do not help a bootloader that misses another image.
        guard counts.starts < (missing.isEmpty ? Self.maximumStarts : 2) else {
            // The image waits for another restart; the list that was just read shows what runs until then.
            if let application, active(application.upload.image) != nil, !runs(application) {
                effect = .intact
            }
            throw addingMissingImages(
                to:
                    failure(
                        .smp.notInstalled,
                        "\(slot.words) still waits for a restart, and the beacon runs \(current(application))"
                    ))
        }
        return start().after([.retry(reason: .smp.notInstalled, from: total)])
    }

    /// The beacon is about to restart, or has lost the request: the next link shows that.
    mutating func restart() -> UpdateStep {
        state = .finished
        return UpdateStep(
            .end(.restart(Restart(timeout: Self.restartTimeout))),
            notices: takeFreeingNotices() + [.phase(.rebooting)])
    }
}
