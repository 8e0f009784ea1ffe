import Bytes

@testable import MCUboot

/// A value of the test's own CBOR, which shares no code with the client's.
indirect enum Item: Equatable {
    case number(Int), bytes([UInt8]), text(String), flag(Bool), list([Item]), map([(String, Item)])

    static func == (left: Item, right: Item) -> Bool { left.encoded == right.encoded }

    /// Lists and maps have indefinite lengths, as devices send them.
    var encoded: [UInt8] {
        switch self {
        case .number(let value): value < 0 ? Self.head(0x20, -1 - value) : Self.head(0, value)
        case .bytes(let bytes): Self.head(0x40, bytes.count) + bytes
        case .text(let text): Self.head(0x60, text.utf8.count) + text.utf8
        case .flag(let flag): [flag ? 0xF5 : 0xF4]
        case .list(let items): [0x9F] + items.flatMap(\.encoded) + [0xFF]
        case .map(let members):
            [0xBF] + members.flatMap { Item.text($0.0).encoded + $0.1.encoded } + [0xFF]
        }
    }

    private static func head(_ type: UInt8, _ number: Int) -> [UInt8] {
        let bytes = number < 256 ? 1 : number < 65536 ? 2 : number <= 0xFFFF_FFFF ? 4 : 8
        if number < 24 { return [type | UInt8(number)] }
        let mark: UInt8 = [1: 24, 2: 25, 4: 26, 8: 27][bytes] ?? 27
        return [type | mark] + (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// The members of the map that a request has: definite lengths, no nesting.
    static func members(_ bytes: [UInt8]) -> [String: Item]? {
        var at = 0
        func head() -> (UInt8, Int)? {
            guard at < bytes.count else { return nil }
            let first = bytes[at]
            at += 1
            guard first & 31 >= 24 else { return (first >> 5, Int(first & 31)) }
            let length = 1 << Int(first & 31 - 24)
            guard first & 31 <= 27, at + length <= bytes.count else { return nil }
            defer { at += length }
            return (first >> 5, bytes[at..<at + length].reduce(0) { $0 << 8 | Int($1) })
        }
        func item() -> Item? {
            guard let (type, number) = head() else { return nil }
            switch type {
            case 0: return .number(number)
            case 2, 3:
                guard at + number <= bytes.count else { return nil }
                defer { at += number }
                let slice = bytes[at..<at + number]
                return type == 2 ? .bytes(Array(slice)) : .text(String(decoding: slice, as: UTF8.self))
            case 7: return .flag(number == 21)
            default: return nil
            }
        }
        guard case (5, let count)? = head() else { return nil }
        var members: [String: Item] = [:]
        for _ in 0..<count {
            guard case .text(let key)? = item(), let value = item() else { return nil }
            members[key] = value
        }
        return at == bytes.count ? members : nil
    }
}

/// An SMP server with MCUboot behind it, by the protocol's page: slots in memory, and no radio.
struct SMPServer {
    struct Slot: Equatable {
        var bytes: [UInt8]
        var isPending = false
        var isPermanent = false
        var isConfirmed = false

        /// The test's images: a header with the version, a body, and the hash at the end.
        var hash: [UInt8] { Array(bytes.suffix(32)) }
        var version: String { "\(bytes[20]).\(bytes[21]).\(bytes[22])" }
        var order: Int { Int(bytes[20]) << 16 | Int(bytes[21]) << 8 | Int(bytes[22]) }
    }

    struct Session: Equatable {
        var image: Int
        var length: Int
        var digest: [UInt8]?
        var bytes: [UInt8]
    }

    /// What the bootloader does with an image that is marked.
    enum Boot {
        case installs, refuses, skips
        /// Starts it, and the next restart undoes that although it was confirmed.
        case forgets
    }

    var mode: Int? = 1
    var buffers: (size: Int, count: Int)? = (2475, 4)
    var joins = true
    var isVersion1 = false
    var checksImages = false
    var boot = Boot.installs
    /// Other cores' images can only be marked for a test.
    var deniesCores = false
    var slots: [Int: [Slot?]] = [:]
    var activeSlot = 0
    var session: Session?
    var erased = 0
    var resets = 0
    var confirmations = 0
    var storageErasures = 0
    /// Images in the order in which they were marked.
    var marks: [Int] = []
    /// The most requests that were under way at a time, and the longest frame.
    var longestFrame = 0
    /// Answers instead of the server's own, by group and command: members, or nil for none.
    var answers: [String: [Item?]] = [:]
    private var pieces: [UInt8] = []
    var isReset = false
    var ignoresMarks = false
    var ignoresConfirmations = false
    /// What runs on other cores is not listed.
    var hidesCores = false
    var refusesConfirmations = false
    /// The list does not show that an image with a higher version starts next.
    var hidesNext = false
    /// Images that cannot be marked, and the error.
    var unmarkable: [Int: Int] = [:]
    /// Requests that mark are not supported.
    var refusesMarks = false
    /// An image of another core is in test as well.
    var testsCores = false
    /// An upload over an image fails unless its slot was erased by a request.
    var cannotErase = false
    /// Upload requests of more than a packet are lost, although others are joined.
    var losesJoinedUploads = false
    /// A mark takes those of other images away.
    var keepsOneMark = false
    /// The list calls nothing confirmed, as old Zephyr does without marks.
    var hidesConfirmed = false
    /// The number of the image in each first upload request.
    var namedImages: [Int] = []

    init(running version: UInt8 = 1) {
        slots[0] = [Slot(bytes: testImage(version: version), isConfirmed: true), nil]
    }

    /// Half a request stays when a link ends, as in old versions.
    var keepsPieces = false

    mutating func linkEnded() { if !keepsPieces { pieces = [] } }

    /// The answer to a packet, if it completes a request.
    mutating func receive(_ packet: [UInt8]) -> [UInt8]? {
        if keepsPieces, pieces.count >= 8,
            pieces.count + packet.count > 8 + (Int(pieces[2]) << 8 | Int(pieces[3]))
        {
            pieces = []
            return nil
        }
        pieces += packet
        defer { if !joins { pieces = [] } }
        guard pieces.count >= 8 else { return nil }
        let length = 8 + (Int(pieces[2]) << 8 | Int(pieces[3]))
        guard pieces.count >= length else {
            // The request is cut off, for a server that joins no packets.
            return joins ? nil : answer(pieces, .map([("rc", .number(9))]))
        }
        let frame = Array(pieces.prefix(length))
        pieces = []
        longestFrame = max(longestFrame, frame.count)
        guard let members = Item.members(Array(frame.dropFirst(8))) else {
            return answer(frame, .map([("rc", .number(3))]))
        }
        let name = "\(frame[5])/\(frame[7])"
        if losesJoinedUploads, name == "1/1", frame.count > 244 { return nil }
        if let first = answers[name]?.first {
            answers[name]?.removeFirst()
            if answers[name]?.isEmpty ?? false { answers[name] = nil }
            guard let first else { return nil }
            return answer(frame, first)
        }
        guard let content = handle(name, isWrite: frame[0] & 7 == 2, members) else { return nil }
        return answer(frame, content)
    }

    private func answer(_ request: [UInt8], _ content: Item) -> [UInt8] {
        let content = content.encoded
        return [
            (request[0] & 7) + 1 | (isVersion1 ? 0 : 8), 0, UInt8(content.count >> 8),
            UInt8(content.count & 255),
        ] + request[4..<8] + content
    }

    private func error(_ code: Int, old: Int = 1) -> Item {
        isVersion1
            ? .map([("rc", .number(old))])
            : .map([("err", .map([("group", .number(1)), ("rc", .number(code))]))])
    }

    private func general(_ code: Int) -> Item { .map([("rc", .number(code))]) }

    private mutating func handle(_ name: String, isWrite: Bool, _ members: [String: Item]) -> Item? {
        switch (name, isWrite) {
        case ("0/0", true): return .map([("r", members["d"] ?? .text(""))])
        case ("0/5", true):
            (isReset, resets) = (true, resets + 1)
            return .map([])
        case ("0/6", false):
            guard let buffers else { return general(8) }
            return .map([("buf_size", .number(buffers.size)), ("buf_count", .number(buffers.count))])
        case ("0/8", false): return mode.map { .map([("mode", .number($0))]) } ?? general(8)
        case ("1/0", false): return list
        case ("1/0", true): return mark(members)
        case ("1/1", true): return upload(members)
        case ("1/5", true):
            let other = freeSlot(0)
            slots[0]?[other] = nil
            return .map([])
        case ("63/0", true):
            storageErasures += 1
            return .map([])
        default: return general(8)
        }
    }

    private var list: Item {
        var entries: [Item] = []
        for (image, pair) in slots.sorted(by: { $0.key < $1.key }) {
            for (number, slot) in pair.enumerated() {
                guard let slot, !hidesCores || image == 0 || number == 1 else { continue }
                var entry: [(String, Item)] = slots.count == 1 ? [] : [("image", .number(image))]
                entry += [
                    ("slot", .number(number)), ("version", .text(slot.version)), ("hash", .bytes(slot.hash)),
                ]
                let isActive = image == 0 && number == activeSlot
                // Without marks, a higher version is what starts next (Zephyr's list).
                let isNext = mode == 4 && !hidesNext && !isActive && slot.order > pair[activeSlot]?.order ?? 0
                for (key, flag) in [
                    ("pending", slot.isPending || isNext),
                    ("confirmed", !hidesConfirmed && (slot.isConfirmed || isActive && mode == 4)),
                    ("active", isActive),
                    ("permanent", slot.isPermanent || isNext),
                ] where flag { entry.append((key, .flag(true))) }
                entries.append(.map(entry))
            }
        }
        return .map([("images", .list(entries)), ("splitStatus", .number(0))])
    }

    private func freeSlot(_ image: Int) -> Int { image == 0 && mode != 1 && activeSlot == 1 ? 0 : 1 }

    private func isTesting(_ image: Int) -> Bool {
        image == 0 && slots[0]?[activeSlot]?.isConfirmed == false && mode != 4 && mode != 6
    }

    private mutating func mark(_ members: [String: Item]) -> Item {
        guard mode != 4, mode != 6, !refusesMarks else { return general(8) }
        let isPermanent = members["confirm"] == .flag(true)
        guard case .bytes(let hash)? = members["hash"] else {
            guard isPermanent else { return error(24, old: 3) }
            confirmations += 1
            if refusesConfirmations { return general(8) }
            let active = activeSlot
            if !ignoresConfirmations { slots[0]?[active]?.isConfirmed = true }
            return list
        }
        for image in slots.keys.sorted() {
            let other = freeSlot(image)
            guard slots[image]?[other]?.hash == hash else { continue }
            if let code = unmarkable[image] { return error(code) }
            if deniesCores, image > 0, isPermanent { return error(32) }
            if slots[image]?[other]?.isPending ?? false { return error(28, old: 6) }
            if keepsOneMark {
                for image in Array(slots.keys) {
                    let other = freeSlot(image)
                    slots[image]?[other]?.isPending = false
                }
            }
            slots[image]?[other]?.isPending = !ignoresMarks
            slots[image]?[other]?.isPermanent = isPermanent
            marks.append(image)
            return list
        }
        return error(8)
    }

    private mutating func upload(_ members: [String: Item]) -> Item {
        guard case .number(let offset)? = members["off"] else { return error(20, old: 3) }
        guard case .bytes(let data)? = members["data"] else { return error(22, old: 3) }
        func wants(_ offset: Int, match: Bool? = nil) -> Item {
            .map(
                (isVersion1 ? [("rc", .number(0))] : []) + [("off", .number(offset))]
                    + (match.map { [("match", .flag($0))] } ?? []))
        }
        if offset == 0 {
            guard case .number(let length)? = members["len"] else { return error(21, old: 3) }
            var digest: [UInt8]?
            if case .bytes(let bytes)? = members["sha"] { digest = bytes }
            if case .number(let number)? = members["image"] ?? .number(0) { namedImages.append(number) }
            var image = 0
            // A server with one image ignores the number.
            if slots.count > 1, case .number(let number)? = members["image"] { image = number }
            if let session, let digest, session.digest == digest { return wants(session.bytes.count) }
            guard data.count >= min(32, length) else { return error(22, old: 3) }
            guard data.starts(with: [0x3D, 0xB8, 0xF3, 0x96]) else { return error(23) }
            let other = freeSlot(image)
            guard slots[image] != nil, !isTesting(image), !(slots[image]?[other]?.isPending ?? false) else {
                return error(9, old: 6)
            }
            if checksImages, let digest, let old = slots[image]?[other],
                SHA256Digest.digest(old.bytes) == digest
            {
                return wants(length, match: true)
            }
            if slots[image]?[other] != nil {
                if cannotErase { return error(13) }
                erased += 1
            }
            slots[image]?[other] = nil
            session = Session(image: image, length: length, digest: digest, bytes: [])
        }
        guard var session else { return wants(0) }
        guard offset == session.bytes.count else { return wants(session.bytes.count) }
        guard offset + data.count <= session.length else { return error(31) }
        session.bytes += data
        self.session = session
        guard session.bytes.count == session.length else { return wants(session.bytes.count) }
        let other = freeSlot(session.image)
        slots[session.image]?[other] = Slot(bytes: session.bytes)
        self.session = nil
        guard checksImages else { return wants(session.length) }
        return wants(session.length, match: SHA256Digest.digest(session.bytes) == session.digest)
    }

    /// The restart that was asked for.
    mutating func restart() {
        isReset = false
        (session, pieces) = (nil, [])
        for image in slots.keys { restart(image) }
    }

    private mutating func restart(_ image: Int) {
        guard var pair = slots[image] else { return }
        defer { slots[image] = pair }
        let other = freeSlot(image)
        if mode == 5 {
            if pair[activeSlot]?.isConfirmed == false {
                pair[activeSlot] = nil
                return activeSlot = other
            }
            guard let new = pair[other], new.isPending else { return }
            pair[other]?.isPending = false
            guard boot == .installs, new.order > pair[activeSlot]?.order ?? 0 else {
                if boot == .refuses { pair[other] = nil }
                return
            }
            pair[other]?.isConfirmed = new.isPermanent
            return activeSlot = other
        }
        if mode == 4 || mode == 6 {
            guard boot == .installs, let new = pair[other], let old = pair[activeSlot], new.order > old.order
            else {
                if boot == .refuses { pair[other] = nil }
                return
            }
            return activeSlot = other
        }
        if isTesting(image), let old = pair[1 - activeSlot] {
            pair = activeSlot == 0 ? [old, pair[0]] : [pair[1], old]
            pair[0]?.isConfirmed = true
            pair[1]?.isConfirmed = false
            return
        }
        guard let new = pair[other], new.isPending else { return }
        pair[other]?.isPending = false
        pair[other]?.isPermanent = false
        switch boot {
        case .refuses: pair[other] = nil
        case .skips: break
        case .installs, .forgets:
            var installed = new
            (installed.isPending, installed.isPermanent) = (false, false)
            installed.isConfirmed = new.isPermanent || mode == 2 || image > 0 && !testsCores
            var old = pair[0]
            old?.isConfirmed = !installed.isConfirmed
            pair = [installed, mode == 2 ? nil : old]
        }
    }
}

/// An image of the test: header, body, and a hash that distinguishes it.
func testImage(version: UInt8, count: Int = 2000) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(count - 32, 32))
    for index in bytes.indices {
        bytes[index] = UInt8(truncatingIfNeeded: index &* 7 &+ index >> 8) ^ version
    }
    bytes.replaceSubrange(0..<4, with: [0x3D, 0xB8, 0xF3, 0x96])
    bytes.replaceSubrange(20..<28, with: [version, 0, 0, 0, 0, 0, 0, 0])
    return bytes + SHA256Digest.digest(bytes)
}

func testUpload(
    version: UInt8, count: Int = 2000, image: Int = 0, slot: Int? = nil, hasAddress: Bool = false
) -> ImageUpload {
    let bytes = testImage(version: version, count: count)
    return ImageUpload(
        image: image, slot: slot, bytes: bytes, hash: Array(bytes.suffix(32)),
        version: ImageVersion(major: version, minor: 0, revision: 0),
        title: image == 0 ? "application" : "network core", hasAddress: hasAddress)
}
