/// The list of images, and which of them start next (mcuboot-smp.md, Marking).
extension SMPServer {
    /// How the slot that starts next was chosen.
    private enum NextStart: Hashable {
        /// Permanently.
        case normal
        /// For one start.
        case test
        /// Because the running image was not confirmed.
        case revert
    }

    private func next(_ number: Int) -> (slot: ImageSlot, start: NextStart) {
        let active = active(number)
        if mode == .directXIPRevert { return nextWithRevert(active) }
        guard mode.moves else {
            let isNewer = isNewer(active.other, than: active)
            return (isNewer ? active.other : active, .normal)
        }
        return switch slots.swapType(number) {
        case .none: (active, .normal)
        case .test: (active.other, .test)
        case .permanent: (active.other, .normal)
        case .revert: (active.other, .revert)
        }
    }

    private func nextWithRevert(_ active: ImageSlot) -> (slot: ImageSlot, start: NextStart) {
        guard slots.image(active.other) != nil else { return (active, .normal) }
        let (own, other) = (slots.trailer(active), slots.trailer(active.other))
        if own.magic == .good, own.isCopyDone, !own.isImageOK { return (active.other, .revert) }
        guard other.magic == .good, isNewer(active.other, than: active) else { return (active, .normal) }
        if other.isImageOK { return (active.other, .normal) }
        return other.isCopyDone ? (active, .normal) : (active.other, .test)
    }

    private func isNewer(_ slot: ImageSlot, than other: ImageSlot) -> Bool {
        guard let new = slots.image(slot), let old = slots.image(other) else { return false }
        return old.version.isOlder(than: new.version)
    }

    /// Whether `slot` cannot be erased now.
    func isInUse(_ slot: ImageSlot) -> Bool {
        let active = active(slot.image)
        guard mode.moves || mode == .directXIPRevert else { return active == slot }
        let (next, start) = next(slot.image)
        if start != .normal, slot == next { return true }
        return start == .normal && active != next || active == slot
    }

    /// The slots with an image, in order.
    func state() -> SMPMap {
        var list: [SMPValue] = []
        for number in 0..<slots.layout.images {
            let active = active(number)
            let (next, start) = next(number)
            for place in 0...1 {
                let slot = ImageSlot(image: number, slot: place)
                guard let image = slots.image(slot) else { continue }
                if number > 0, place == 0, !rules.listsOtherCores { continue }
                let isActive = slot == active
                let isNext = !isActive && slot == next
                let flags: [(String, Bool)] = [
                    ("bootable", !image.has(MCUbootImage.Flags.nonBootable)),
                    ("pending", isNext && start != .revert),
                    ("confirmed", isActive ? start != .revert : isNext && start == .revert),
                    ("active", isActive), ("permanent", isNext && start == .normal),
                ]
                var entry = SMPMap()
                if slots.layout.images > 1 { entry.append("image", .number(number)) }
                entry.append("slot", .number(place))
                entry.append("version", .text(image.version.description))
                entry.append("hash", .bytes(image.hash))
                for (name, value) in flags where value || !rules.leavesOutFalseFlags {
                    entry.append(name, .truth(value))
                }
                list.append(.map(entry))
            }
        }
        var answer: SMPMap = ["images": .list(list)]
        if !rules.leavesOutFalseFlags { answer.append("splitStatus", .number(0)) }
        return answer
    }

    /// Tests or confirms an image, and answers with the list.
    mutating func writeState(_ map: SMPMap, at now: Duration) -> SMPOutcome {
        let confirms = map["confirm"]?.truth ?? false
        let hash = map["hash"]?.bytes ?? []
        if confirms { record.confirms += 1 } else { record.tests += 1 }
        if confirms, !hasReadState { note(.confirmBeforeRead) }
        let slot: ImageSlot
        if confirms, hash.isEmpty, !rules.confirmsRunningImage { return .refused(.notSupported) }
        if hash.isEmpty {
            guard confirms else { return .failed(.wrongHash) }
            slot = active(0)
        } else {
            guard [32, 48, 64].contains(hash.count) else { return .failed(.wrongHash) }
            guard let found = find(hash) else { return .failed(.hashNotFound) }
            slot = found
        }
        if let error = choose(slot, confirming: confirms, at: now) { return .failed(error) }
        slots.flash.advance(to: slots.flash.idle(at: now))
        return .done(state())
    }

    func find(_ hash: [UInt8]) -> ImageSlot? {
        for number in 0..<slots.layout.images * 2 {
            let slot = ImageSlot(image: number / 2, slot: number % 2)
            if slots.image(slot)?.hash == hash { return slot }
        }
        return nil
    }

    /// Lets the bootloader start `slot` next; returns why it cannot, nil on success.
    private mutating func choose(
        _ slot: ImageSlot, confirming confirms: Bool, at now: Duration
    ) -> SMPGroupError? {
        let active = active(slot.image)
        let isActive = slot == active
        if confirms, faults.refusesConfirm { return .writeFailed }
        guard mode != .directXIPRevert else {
            if isActive, !confirms { return .testDenied }
            return slots.mark(slot, confirming: confirms, isXIP: true, at: now) ? nil : .wrongMagic
        }
        // Zephyr's checks, in its order.
        if confirms, slot.image != 0, !rules.confirmsOtherImages || isActive { return .confirmDenied }
        if !confirms, isActive { return .testDenied }
        let (next, start) = next(slot.image)
        switch start {
        case .test: return !confirms && slot == next ? nil : .alreadyPending
        case .normal:
            if confirms, slot == next { return nil }
            if isActive && active != next || !confirms && slot == next { return .alreadyPending }
        case .revert:
            if confirms, slot == next { return nil }
            if !confirms { return .alreadyPending }
        }
        let isMarked =
            isActive
            ? slots.confirmRunning(slot, at: now)
            : slots.mark(slot, confirming: confirms, isXIP: false, at: now)
        return isMarked ? nil : isActive ? .badVector : .wrongMagic
    }
}
