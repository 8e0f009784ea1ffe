import Bytes
import UpdateModel

/// Decides what is left to do, by the beacon's list of images (docs/protocols/mcuboot-smp.md, Conversation).
extension SMPUpdate {
    /// The maximum number of restarts to free a slot: one starts an image that waits, another undoes a test.
    static let maximumResets = 2

    mutating func decide(by slots: [SlotState], for purpose: ListPurpose) throws(UpdateFailure) -> UpdateStep
    {
        link.slots = slots
        isRestarting = false
        noteEffect()
        let notices = takeFreeingNotices()
        let step =
            switch purpose {
            case .deciding: try decide()
            case .forgotten: try continueAfterForgottenUpload()
            case .stored: try checkUploads()
            case .marked(let index): try checkMark(index)
            // After a confirmation another image may run: the beacon may have restarted meanwhile.
            case .confirmed where stage < .restarting: try decide()
            case .running, .confirmed: try judgeRunningImages()
            }
        return step.after(notices)
    }

    /// Notes the effect on the application that the list shows, if it was unknown.
    mutating func noteEffect() {
        guard effect == .unknown, let application, active(application.upload.image) != nil else { return }
        effect = runs(application) ? .new : waiting.isEmpty ? .intact : .unknown
    }

    /// The parts that the next restart will install, according to the list.
    var waiting: [Part] {
        parts.filter { part in !runs(part) && (isMarked(part) || startsUnmarked && stored(part) != nil) }
    }

    /// The notice that the unit was restarted to free a slot; empty if it was not, or was reported.
    mutating func takeFreeingNotices() -> [UpdateNotice] {
        defer { reasonForFreeing = nil }
        return reasonForFreeing.map { [.warning(.smp.slotsRestarted, $0)] } ?? []
    }

    /// The slot that image number `image` runs from. Servers flag only their own; another core's program is in slot 0.
    func active(_ image: Int) -> SlotState? {
        let slots = link.slots.filter { $0.image == image }
        if let active = slots.first(where: \.isActive) { return active }
        return link.slots.contains(where: \.isActive) ? slots.first { $0.slot == 0 } : nil
    }

    /// The slot from which the image of `part` runs; nil if it does not run.
    func running(_ part: Part) -> SlotState? {
        active(part.upload.image).flatMap { part.isIn($0) ? $0 : nil }
    }

    func runs(_ part: Part) -> Bool { running(part) != nil }

    /// The slot in which the image of `part` is stored without running; nil if there is none.
    func stored(_ part: Part) -> SlotState? {
        let active = active(part.upload.image)
        return link.slots.first { part.isIn($0) && $0.slot != active?.slot }
    }

    private mutating func decide() throws(UpdateFailure) -> UpdateStep {
        if stage == .fresh { try chooseImages() }
        try checkImages()
        if parts.allSatisfy(runs) {
            return stage == .fresh ? try finishWithoutUpload() : try judgeRunningImages()
        }
        if stage == .fresh {
            try checkMode()
            try checkDependencies()
        }
        if let step = try confirmBeforeRestart() { return step }
        if let step = try endPartialTest() { return step }
        var reported: [UpdateNotice] = []
        if facts.versionBefore == nil, let application, !runs(application),
            let version = active(application.upload.image)?.reportedVersion
        {
            facts.versionBefore = version
            reported = [.detail(.versionBefore(version))]
        }
        for part in parts where !runs(part) {
            if let step = try freeSlot(for: part) { return step.after(reported) }
            try check(part)
        }
        reported += [report()] + (stage == .fresh ? dependencyNotices : [])
        for index in parts.indices {
            let part = parts[index]
            parts[index].isUploaded = runs(part) || stored(part) != nil || part.isUploaded && isUnlisted(part)
        }
        return try sendNext().after(reported)
    }

    /// Refuses bootloaders that install no image which the running program receives.
    private func checkMode() throws(UpdateFailure) {
        switch facts.mode {
        case .singleSlot, .singleSlotRAMLoad:
            throw .preparing(
                .smp.modeUnsupported, "the beacon has one slot, which the program that runs occupies")
        case .firmwareLoader:
            throw .preparing(.smp.modeUnsupported, "the beacon installs images with a firmware loader")
        default: break
        }
    }

    /// Confirms an image of this update that already runs for a test, because the restart that starts the others
    /// would undo it. Nil if there is none.
    private mutating func confirmBeforeRestart() throws(UpdateFailure) -> UpdateStep? {
        guard let index = unconfirmed.first else { return nil }
        guard preferences.confirmation != .test else {
            // Images that were uploaded in this run are tested together.
            guard stage == .fresh else { return nil }
            throw failure(
                .smp.unconfirmedImage,
                "\(parts[index].upload.words) runs for a test, and the restart that the other images "
                    + "need would undo that",
                remedy: "run the same command with \(.confirm, "after-check"), which keeps it")
        }
        if parts[index].upload.image == application?.upload.image { try compareVersion() }
        return try confirm(index)
    }

    private func report() -> UpdateNotice {
        let mode = facts.mode.map { "bootloader mode \($0)" } ?? "unknown bootloader mode"
        let buffers = link.bufferSize.map { "buffers of \($0) bytes" } ?? "buffers not reported"
        return .detail(
            .log(
                state: during, kind: .info,
                text: "\(mode), \(buffers), frames of \(link.frameLimit) bytes, "
                    + "at most \(link.window) under way"))
    }

    /// The beacon runs all images already: nothing is sent.
    private mutating func finishWithoutUpload() throws(UpdateFailure) -> UpdateStep {
        try compareVersion()
        guard parts.allSatisfy({ running($0)?.isConfirmed ?? false }) || facts.mode == .directXIP else {
            // The images are from an earlier attempt, which has not confirmed them.
            return try judgeRunningImages()
        }
        let words = "the beacon already runs this image, \(current(application))"
        guard preferences.risks.contains(.sameVersion) else {
            throw .preparing(
                .device.sameVersion, words, remedy: "nothing to do: beacons keep one copy of an image")
        }
        return try complete([.warning(.device.sameVersion, "\(words); nothing was sent")])
    }

    /// Chooses the file for each image: if the files are linked for slots, the one for the beacon's free slot.
    private mutating func chooseImages() throws(UpdateFailure) {
        var chosen: [Part] = []
        for upload in uploads where !chosen.contains(where: { $0.upload.image == upload.image }) {
            let candidates = uploads.filter { $0.image == upload.image }
            chosen.append(Part(try choice(of: candidates, for: upload)))
        }
        parts = chosen
    }

    private func choice(
        of candidates: [ImageUpload], for first: ImageUpload
    ) throws(UpdateFailure) -> ImageUpload {
        let active = active(first.image)
        if let active, let same = candidates.first(where: { $0.hash == active.hash }) { return same }
        let free = active?.slot == 1 ? 0 : 1
        let hasVariants = candidates.contains { $0.slot != nil }
        let fit: ImageUpload? =
            switch facts.mode {
            // Images always run from the first slot.
            case .swapUsingScratch, .swapUsingMove, .swapUsingOffset, .overwriteOnly:
                candidates.first { $0.slot ?? 0 == 0 }
            // An image for the wrong slot is only refused, by server or bootloader, if it has the address of its slot.
            // So a file that names no slot has to have that address.
            case .directXIP, .directXIPWithRevert:
                candidates.first { $0.slot == free } ?? candidates.first { $0.slot == nil && $0.hasAddress }
            case .ramLoad: first
            case nil where hasVariants: candidates.first { $0.slot == free }
            default: candidates.first { $0.slot ?? free == free }
            }
        if let fit { return fit }
        let slots = candidates.compactMap(\.slot).map { "\($0)" }.joined(separator: " and ")
        throw .preparing(
            .smp.wrongSlot,
            hasVariants
                ? "the \(first.title) is linked for slot \(slots), and the beacon runs slot \(1 - free)"
                : "the \(first.title) does not say for which slot it is linked, and slot \(free) is free")
    }

    /// Restarts the beacon if another image occupies the slot of `part`; nil if the slot is free.
    private mutating func freeSlot(for part: Part) throws(UpdateFailure) -> UpdateStep? {
        guard marksImages else { return nil }
        let slots = link.slots.filter { $0.image == part.upload.image }
        if let other = slots.first(where: { !$0.isActive && $0.isPending && !part.isIn($0) }) {
            return try freeSlot(.smp.pendingImage, "another image waits for the next restart", other)
        }
        if let active = slots.first(where: \.isActive), !active.isConfirmed,
            slots.contains(where: { !$0.isActive && $0.isConfirmed })
        {
            return try freeSlot(.smp.unconfirmedImage, "the beacon tries another image", active)
        }
        return nil
    }

    mutating func freeSlot(
        _ code: FailureCode, _ words: String, _ slot: SlotState?
    ) throws(UpdateFailure) -> UpdateStep {
        let message = words + (slot.map { ", \($0.words)" } ?? "")
        guard counts.resets < Self.maximumResets else { throw failure(code, message) }
        counts.resets += 1
        (isRestarting, effect, reasonForFreeing) = (true, .unknown, "\(message); the beacon was restarted")
        return ask(.reset)
    }

    /// Refuses an image for which the beacon has no slots: a server with one image ignores the image number, and stores
    /// the image for the application. The list after the upload, and before any mark, shows that too.
    func checkImages() throws(UpdateFailure) {
        for part in parts where part.upload.image != 0 {
            guard !link.slots.contains(where: { $0.image == part.upload.image }) else { continue }
            let place = link.slots.first { $0.hash == part.upload.hash }
            guard place != nil || stage == .fresh && !hasSlots(part.upload.image) else { continue }
            let words =
                place.map { "has put it into slot \($0.slot) of image \($0.image)" }
                ?? "reports no slots for that"
            throw failure(
                .smp.imageWithoutSlots,
                "the \(part.upload.title) is image \(part.upload.image), and the beacon \(words)")
        }
    }

    /// Refuses an image that the beacon would store but never start.
    private func check(_ part: Part) throws(UpdateFailure) {
        let upload = part.upload
        if let largest = facts.largest[upload.image], upload.bytes.count > largest {
            throw .preparing(
                .device.insufficientSpace,
                "the \(upload.title) has \(upload.bytes.count) bytes, and the beacon takes \(largest)")
        }
        guard let active = active(upload.image), let running = ImageVersion(active.version),
            !preferences.risks.contains(.lowerVersion)
        else { return }
        switch facts.mode {
        case .directXIP, .directXIPWithRevert, .ramLoad:
            // Some bootloaders compare build numbers too.
            guard upload.version <= running else { return }
            throw .preparing(
                .smp.versionNeverStarts,
                "the \(upload.title) has version \(upload.version), and the beacon runs \(running)")
        default:
            guard facts.preventsDowngrades, upload.version.isBelow(running) else { return }
            throw .preparing(
                .smp.downgradePrevented,
                "the \(upload.title) has version \(upload.version), the beacon runs \(running), and its "
                    + "bootloader does not allow an earlier one")
        }
    }

    /// Whether the beacon has slots for image number `image`, which its list does not contain. A firmware for one image
    /// accepts any number, and writes the image into the application's slot. A firmware for several has numbers in its
    /// list, which leaves out a core without a readable image (docs/protocols/mcuboot-smp.md, Upload).
    /// If images start without a mark, that is not enough: the list after the upload would show an error too late.
    private func hasSlots(_ image: Int) -> Bool {
        if let images = facts.images { return images.contains(image) }
        switch facts.mode {
        case .directXIP, .directXIPWithRevert, .ramLoad: return false
        default: return link.slots.contains(where: \.namesImage)
        }
    }

    /// Whether the list leaves open if `part` is stored: its slot has no hash in it, or there are no slots at all.
    func isUnlisted(_ part: Part) -> Bool {
        let others = link.slots.filter { $0.image == part.upload.image && !$0.isActive }
        return others.contains { $0.hash == nil } || link.slots.isEmpty
    }

    /// The running version of the image of `part`, for messages.
    func current(_ part: Part?) -> String {
        part.flatMap { active($0.upload.image) }?.words ?? "an unknown version"
    }
}

extension SlotState {
    var words: String {
        let text = version.printable(atMost: 40)
        return "version \(text.isEmpty ? "unknown" : text)"
            + (hash.map { " (hash \(HexText.encode($0.prefix(4))))" } ?? "")
    }
}
