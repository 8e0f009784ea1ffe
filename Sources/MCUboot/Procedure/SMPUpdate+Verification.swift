import Bytes
package import UpdateModel

/// After the restart: what runs, and its confirmation (docs/protocols/mcuboot-smp.md, Activation).
extension SMPUpdate {
    static let maximumConfirmations = 3
    /// How often a reverted image is started again.
    static let maximumReversions = 1

    /// Whether the list shows running images, but not what runs of this one: servers do not ask other cores.
    private func isUnreported(_ part: Part) -> Bool {
        active(part.upload.image) == nil && link.slots.contains(where: \.isActive)
    }

    /// Judges the update by the images that run according to the list.
    mutating func judgeRunningImages() throws(UpdateFailure) -> UpdateStep {
        guard link.slots.contains(where: \.isActive) else {
            throw failure(
                .device.activationUnconfirmed, "the beacon's list of images does not show which one runs")
        }
        for index in parts.indices where runs(parts[index]) { parts[index].hasRun = true }
        for part in parts where !runs(part) {
            let waiting = stored(part)
            if let waiting, waiting.isPending, marksImages { return try startAgain(waiting) }
            if isUnreported(part) {
                guard part.upload.image == application?.upload.image else { continue }
                throw failure(
                    .device.activationUnconfirmed,
                    "the beacon does not report whether it runs \(part.upload.words)")
            }
            if waiting != nil, marksImages, facts.mode != .overwriteOnly,
                counts.reversions < Self.maximumReversions
            {
                return try startReverted()
            }
            // Without marks, a higher version is always flagged, so nothing shows whether the beacon has restarted.
            if let waiting, !marksImages, counts.starts < 2 { return try startAgain(waiting) }
            throw didNotStart(part, waiting)
        }
        effect = .new
        stage = max(stage, .restarting)
        try compareVersion()
        guard let index = unconfirmed.first, preferences.confirmation != .test else {
            return try complete([])
        }
        return try confirm(index)
    }

    private mutating func didNotStart(_ part: Part, _ waiting: SlotState?) -> UpdateFailure {
        let hasRun = part.hasRun
        // Direct-XIP erases an image that restarts before it is confirmed: it is sent again over a new link.
        let isSentAgain =
            hasRun && waiting == nil && marksImages && counts.reversions < Self.maximumReversions
        if isSentAgain {
            counts.reversions += 1
            stage = .uploading
            for index in parts.indices {
                (parts[index].isUploaded, parts[index].lastWantedOffset) = (false, 0)
            }
        }
        if !parts.contains(where: runs) { effect = .intact }
        let words = "the beacon runs \(current(part)) after its restart, not \(part.upload.words)"
        guard !hasRun else {
            return failure(.smp.imageReverted, "\(words), which ran before", mayReconnect: isSentAgain)
        }
        return waiting == nil
            ? failure(.smp.refusedAtBoot, "\(words), which is no longer in its slot")
            : addingMissingImages(to: failure(.smp.imageReverted, "\(words), which is still in its slot"))
    }

    /// Compares the version with the text that the user expects, before the image is confirmed.
    func compareVersion() throws(UpdateFailure) {
        guard let text = preferences.versionText, let application, let shown = running(application)?.version,
            !ExpectedVersion(text: text).isMet(by: shown),
            ImageVersion(text).map({ $0 != ImageVersion(shown) }) ?? true
        else { return }
        throw failure(
            .device.versionMismatch, "the beacon runs \(current(application)); \(text) was expected")
    }

    /// The indexes of parts that run unconfirmed. The list may not show that for another core, so its confirmation is
    /// tried once.
    var unconfirmed: [Int] {
        guard marksImages, facts.mode != .overwriteOnly else { return [] }
        return parts.indices.filter { isInTest(parts[$0]) && !counts.unconfirmable.contains($0) }
    }

    private func isInTest(_ part: Part) -> Bool { running(part).map { !$0.isConfirmed } ?? false }

    mutating func confirm(_ index: Int) throws(UpdateFailure) -> UpdateStep {
        guard counts.confirmations < Self.maximumConfirmations + parts.count else {
            throw confirmFailure("does not confirm it")
        }
        counts.confirmations += 1
        if running(parts[index])?.isActive == false { counts.unconfirmable.insert(index) }
        return ask(.confirm(index))
    }

    mutating func handleConfirmRefusal(_ error: SMPError, of index: Int) throws(UpdateFailure) -> UpdateStep {
        if error.isUnsupported,
            [.directXIP, .ramLoad].contains(facts.mode)
                || facts.mode == nil && !isConfirmed(parts[index].upload.image)
        {
            facts.refusesMarks = true
            return try stage < .restarting ? ask(.images(.deciding)) : complete([])
        }
        // Another core's image is confirmed by the application, or was overwritten and needs no confirmation.
        if parts[index].upload.image != 0 {
            counts.unconfirmable.insert(index)
            return ask(.images(.confirmed))
        }
        throw confirmFailure("refuses to confirm it with \(error.words)")
    }

    /// Whether the list calls a slot of the image confirmed: while an image is tested, that is the previous one's. Old
    /// servers whose bootloader knows no marks call no slot confirmed.
    private func isConfirmed(_ image: Int) -> Bool {
        link.slots.contains { $0.image == image && $0.isConfirmed }
    }

    private func confirmFailure(_ words: String) -> UpdateFailure {
        failure(.smp.confirmRefused, "the beacon runs \(current(application)), but \(words)")
    }

    mutating func complete(_ notices: [UpdateNotice]) throws(UpdateFailure) -> UpdateStep {
        let completion = try completion()
        (stage, state, verified) = (.verified, .finished, completion)
        let canTest = marksImages && facts.mode != .overwriteOnly
        let tested = parts.filter { canTest && isInTest($0) }.map { part in
            UpdateNotice.warning(
                .smp.imageInTest,
                "\(part.upload.words) runs and is not confirmed: the next restart of the beacon undoes it")
        }
        let unreported = parts.filter(isUnreported).map { part in
            UpdateNotice.warning(
                .smp.imageUnreported,
                "the beacon does not report which \(part.upload.title) it runs: nothing shows whether "
                    + "\(part.upload.words) was installed")
        }
        return UpdateStep(.end(.complete(completion)), notices: unreported + tested + notices)
    }

    /// The proof by the list that was read last: it shows that the application's hash runs.
    private func completion() throws(UpdateFailure) -> Completion {
        guard let application, let shown = running(application) else {
            throw failure(.device.activationUnconfirmed, "the beacon does not report which image it runs")
        }
        // If the beacon lists no version, the hash proves the one in the image, which it covers.
        let version = shown.reportedVersion ?? "\(application.upload.version)"
        return Completion(
            proof: UpdateProof(version, imageHash: application.upload.hash, after: facts.versionBefore))
    }

    package func remedy(for failure: UpdateFailure) -> Advice? {
        let isInterrupted = [.device.linkLost, .system.interrupted, .device.noAnswer].contains(failure.code)
        return switch (failure.code, stage) {
        case (_, .uploading) where isInterrupted:
            "run the same command again: it goes on where the upload has ended, or begins again if the beacon "
                + "was switched off meanwhile; the beacon keeps its present image"
        case (_, .marking) where isInterrupted, (_, .restarting) where isInterrupted:
            "wait two minutes and run the same command again: it sends nothing that the beacon has, and "
                + "confirms the new image if that runs"
        case (.device.updateServiceMissing, .restarting), (.smp.imageManagementMissing, .restarting):
            "the program that runs after the restart has no SMP, so it cannot be asked or confirmed; if it is "
                + "the new one and does not confirm itself, the next restart brings the previous one back"
        case (.device.versionMismatch, _) where !unconfirmed.isEmpty:
            "the image is not confirmed, and the next restart of the beacon undoes the update; to keep it, flash "
                + "with \(.expectedVersion, "'\(application.flatMap(running)?.version ?? "")'")"
        default: nil
        }
    }
}

extension ImageUpload {
    var words: String { "the \(title) \(version) (hash \(HexText.encode(hash.prefix(4))))" }
}
