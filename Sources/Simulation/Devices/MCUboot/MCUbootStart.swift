import Bytes

/// One step of a bootloader: after a power loss it is done completely or not at all.
typealias BootStep = @Sendable (inout ImageSlots) -> Void

struct RunningImage: Hashable, Sendable {
    let slot: ImageSlot
    let image: MCUbootImage
}

/// A start of the bootloader, with the steps that it takes and when each is done (mcuboot-smp.md, By mode).
///
/// It works on a copy of the slots; the device performs the same steps on the original when their time has come.
struct MCUbootStart: Sendable {
    let rules: MCUbootRules
    var slots: ImageSlots
    var moment: Duration
    private(set) var steps: [(ends: Duration, step: BootStep)] = []
    /// The running image of each number; nil if there is none.
    private(set) var running: [RunningImage?] = []
    private(set) var isCrashing = false

    /// How long an application runs before it crashes.
    private static let crashTime = Duration.milliseconds(500)
    /// The number of starts in a row without success after which the device counts as crashing without end.
    private static let maximumStarts = 6

    init(
        _ description: MCUbootDescription, _ slots: ImageSlots, _ faults: inout MCUbootFaultPlan,
        at now: Duration
    ) {
        (rules, self.slots, moment) = (description.bootloader, slots, now)
        for _ in 0..<Self.maximumStarts {
            guard load(&faults) else { continue }  // a power loss: starts again
            moment += description.startTime
            let application = running.first.flatMap(\.self).map { description.application(of: $0.image) }
            isCrashing = application?.crashes == true
            if isCrashing {
                moment += Self.crashTime
                continue
            }
            if application?.confirmsItself == true, let slot = running.first.flatMap(\.self)?.slot,
                isUnconfirmed(slot)
            {
                perform { $0.confirm(slot) }
            }
            return
        }
        isCrashing = true
    }

    private func isUnconfirmed(_ slot: ImageSlot) -> Bool {
        let trailer = slots.trailer(slot)
        return trailer.magic == .good && !trailer.isImageOK
    }

    private mutating func perform(taking time: Duration = .zero, _ step: @escaping BootStep) {
        moment += time
        steps.append((moment, step))
        step(&slots)
    }

    /// Chooses the images that run; false after a power loss.
    private mutating func load(_ faults: inout MCUbootFaultPlan) -> Bool {
        running = []
        if rules.mode.moves {
            let progress = slots.progress
            if let progress, !exchange(progress, &faults) { return false }
            let types = types(keepingOld: faults.keepsOldApplication)
            for (image, type) in types.enumerated() where type != .none {
                // An image whose exchange was interrupted by a power loss has not run yet, so it is not reverted.
                if progress != nil, type == .revert { continue }
                guard move(image, type, &faults) else { return false }
            }
            running = (0..<slots.layout.images).map { number in
                let slot = ImageSlot(image: number, slot: 0)
                return valid(slot).map { RunningImage(slot: slot, image: $0) }
            }
        } else {
            running = choose()
        }
        guard rules.countsSecurity else { return true }
        for case let image? in running where !isUnconfirmed(image.slot) {
            guard let number = image.image.securityCounter, number > slots.securityCounter(image.slot.image)
            else { continue }
            perform { $0.raiseCounter(image.slot.image, to: number) }
        }
        return true
    }

    private func valid(_ slot: ImageSlot) -> MCUbootImage? {
        guard let image = slots.image(slot), !image.has(MCUbootImage.Flags.nonBootable),
            image.end <= slots.layout.largestImage
        else { return nil }
        if rules.mode == .ramLoad, !image.has(MCUbootImage.Flags.ramLoad) { return nil }
        if image.has(MCUbootImage.Flags.romFixed), !rules.mode.moves,
            image.loadAddress != slots.layout.start(slot)
        {
            return nil
        }
        if let key = rules.keyHash, !(image.isSigned && image.keyHashes.contains(key)) { return nil }
        if rules.requiresSHA256, image.hashType != 0x10 { return nil }
        if rules.countsSecurity, image.securityCounter ?? 0 < slots.securityCounter(slot.image) { return nil }
        if image.has(MCUbootImage.Flags.encrypted) { return rules.decrypts ? image : nil }
        guard image.hashType == 0x10 else { return image }
        return SHA256Digest.digest(slots.content(slot, 0..<image.hashedLength)) == image.hash ? image : nil
    }
}

/// Dependencies (mcuboot-smp.md, Dependencies).
extension MCUbootStart {
    /// Whether the images that `image` needs are in the slots that `next` gives for their numbers. A bootloader
    /// for a single image does not check.
    private func meets(_ image: MCUbootImage, _ next: (Int) -> ImageSlot) -> Bool {
        guard slots.layout.images > 1 else { return true }
        return image.dependencies.allSatisfy { needed in
            needed.image < slots.layout.images
                && !slots.headerVersion(next(needed.image)).isOlder(than: needed.version)
        }
    }
}

/// Modes that move an image to slot 0.
extension MCUbootStart {
    /// What to do with each image number; an image in slot 1 that may not run is erased first.
    private mutating func types(keepingOld keepsOld: Bool) -> [SwapType] {
        let types = (0..<slots.layout.images).map { type(of: $0, keepingOld: keepsOld) }
        let next = types.enumerated().map { ImageSlot(image: $0, slot: $1 == .none ? 0 : 1) }
        // No image changes if one of them needs a version that would not be there; the marks in the trailers stay.
        let holds = next.allSatisfy { slot in slots.image(slot).map { meets($0) { next[$0] } } ?? true }
        return holds ? types : types.map { _ in .none }
    }

    private mutating func type(of number: Int, keepingOld keepsOld: Bool) -> SwapType {
        let type = slots.swapType(number)
        let second = ImageSlot(image: number, slot: 1)
        guard type != .none else { return .none }
        if type != .revert, keepsOld {
            perform { $0.clearTrailer(second) }
            return .none
        }
        guard let image = valid(second) else {
            perform { $0.erase(second) }
            // The image in slot 0 stays and counts as confirmed, as after a revert.
            if slots.trailer(second.other).magic == .good { perform { $0.confirm(second.other) } }
            return .none
        }
        if type != .revert, rules.preventsDowngrade, let current = slots.image(second.other),
            image.version.isOlder(than: current.version)
        {
            perform { $0.erase(second) }
            return .none
        }
        return type
    }

    private mutating func move(_ image: Int, _ type: SwapType, _ faults: inout MCUbootFaultPlan) -> Bool {
        let ends = (0...1).map { slots.image(ImageSlot(image: image, slot: $0))?.end ?? 0 }
        guard rules.mode == .overwriteOnly else {
            let pages = FlashModel.pages(in: ends.max() ?? 0)
            return exchange(SwapProgress(image: image, type: type, done: 0, pages: pages), &faults)
        }
        let pages = FlashModel.pages(in: ends[1])
        for page in 0..<pages {
            guard !faults.losesPowerInSwap() else { return false }
            perform(taking: rules.swapTime / max(1, pages)) { $0.copy(page, of: image) }
        }
        perform { $0.finishCopy(of: image) }
        return true
    }

    private mutating func exchange(_ progress: SwapProgress, _ faults: inout MCUbootFaultPlan) -> Bool {
        var progress = progress
        // Recorded before its first page, so that no power loss separates it from the previous image's exchange.
        if progress.done == 0 { perform { [progress] in $0.progress = progress } }
        while progress.done < progress.pages {
            guard !faults.losesPowerInSwap() else { return false }
            perform(taking: rules.swapTime / max(1, progress.pages)) { [progress] in $0.exchange(progress) }
            progress.done += 1
        }
        perform { [progress] in $0.finish(progress.image, progress.type) }
        return true
    }
}

/// Modes that run an image where it is, or from RAM.
extension MCUbootStart {
    /// The image that runs of each number; nil for every number if one of them has no image that may run.
    ///
    /// An image is skipped if the versions that it needs were not chosen.
    private mutating func choose() -> [RunningImage?] {
        let numbers = 0..<slots.layout.images
        var left = numbers.map { number in
            (0...1).map { ImageSlot(image: number, slot: $0) }.filter { slots.image($0) != nil }
        }
        var chosen = numbers.map { _ in RunningImage?.none }
        while true {
            for number in numbers where chosen[number] == nil {
                chosen[number] = choose(from: &left[number])
                guard chosen[number] != nil else { return numbers.map { _ in nil } }
            }
            let all = chosen.compactMap(\.self)
            guard let needy = all.first(where: { !meets($0.image) { all[$0].slot } }) else { return chosen }
            chosen[needy.slot.image] = nil
        }
    }

    /// The newest image in `left` that may run; slot 0 if both are equal. Newer images that may not run are erased.
    private mutating func choose(from left: inout [ImageSlot]) -> RunningImage? {
        while let slot = newest(left) {
            left.removeAll { $0 == slot }
            if mayStart(slot), let image = valid(slot) { return RunningImage(slot: slot, image: image) }
            perform { $0.erase(slot) }
        }
        return nil
    }

    private func newest(_ candidates: [ImageSlot]) -> ImageSlot? {
        guard let first = candidates.first else { return nil }
        guard candidates.count > 1, let old = slots.image(first), let new = slots.image(candidates[1]) else {
            return first
        }
        return old.version.isOlder(than: new.version) ? candidates[1] : first
    }

    /// Whether `slot` may start. With revert, it may not if it has no mark, or has run once without being confirmed.
    private mutating func mayStart(_ slot: ImageSlot) -> Bool {
        guard rules.mode == .directXIPRevert else { return true }
        let trailer = slots.trailer(slot)
        guard trailer.magic == .good, !trailer.isCopyDone || trailer.isImageOK else { return false }
        if !trailer.isCopyDone { perform { $0.markCopyDone(slot) } }
        return true
    }
}

extension MCUbootDescription {
    func application(of image: MCUbootImage) -> MCUbootApplication {
        applications[image.version.description] ?? application
    }
}
