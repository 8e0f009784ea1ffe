/// The flash of a device: cells that are erased and programmed, and a queue of timed operations.
public struct FlashModel: Sendable {
    public static let pageSize = 4096

    /// The effect of a write on the cells.
    public enum Cells: Hashable, Sendable {
        /// Writes only change bits from 1 to 0, in whole 4-byte words at word addresses. A write that begins inside a
        /// word lands on the start of that word: an uneven packet thus corrupts the image while its CRC, computed in
        /// RAM, stays correct (nordic-secure.md, Timing).
        case words
        /// Writes only change bits from 1 to 0, byte by byte: serial flash.
        case bytes
        /// A byte can be overwritten without an erase: EEPROM.
        case rewritable

        var size: Int { self == .words ? 4 : 1 }
    }

    private struct Operation: Sendable {
        var work: FlashWork
        let begins: Duration
        let ends: Duration
        let isLost: Bool
        let source: Int?
    }

    package let timing: FlashTiming
    /// The number of operations that the queue can hold, including the one under way.
    package let capacity: Int
    package let cells: Cells
    /// The image writes that fail silently, counted from 1.
    package var lostWrites: Set<Int> = []

    /// Whether a new application that is copied into place silently never arrives there.
    package var keepsOldApplication = false

    private var queue: [Operation] = []
    private var pages: [Int: [UInt8]] = [:]  // an erased page has no entry
    private var imageWrites = 0
    private var changes: [Range<Int>] = []
    /// The time up to which operations were carried out. It can be later than `now` of the next call.
    private var latest = Duration.zero

    public init(timing: FlashTiming, capacity: Int, cells: Cells = .words) {
        (self.timing, self.capacity, self.cells) = (timing, capacity, cells)
    }

    public var isFull: Bool { queue.count >= capacity }

    /// How many image writes wait: each holds a packet buffer until it is done.
    package var waitingWrites: Int { queue.count { if case .write = $0.work { true } else { false } } }

    /// When everything queued by `now` is done.
    public func idle(at now: Duration) -> Duration { max(now, queue.last?.ends ?? latest) }

    /// Carries out every operation that ends by `now`.
    public mutating func advance(to now: Duration) {
        latest = max(latest, now)
        let count = queue.prefix { $0.ends <= now }.count
        for operation in queue.prefix(count) where !operation.isLost {
            switch operation.work {
            case .erase(let address): pages[Self.page(of: address)] = nil
            case .write(let bytes, let address):
                write(bytes, at: address - address % cells.size, bitsOnlyFall: cells != .rewritable)
            case .eraseSettings, .writeSettings: break
            }
        }
        queue.removeFirst(count)
    }

    /// Queues `work` and returns when it starts; nil if the queue is full.
    ///
    /// Bytes passed by pointer name their `source`: flash gets the later content of that memory.
    public mutating func append(_ work: FlashWork, from source: Int? = nil, at now: Duration) -> Duration? {
        advance(to: now)
        guard !isFull else { return nil }
        let begins = idle(at: now)
        var isLost = false
        if case .write(let bytes, let address) = work {
            imageWrites += 1
            isLost = lostWrites.contains(imageWrites)
            changes.append(Self.words(address..<address + bytes.count, cells.size))
        } else if case .erase(let address) = work {
            changes.append(Self.page(of: address)..<Self.page(of: address) + Self.pageSize)
        }
        queue.append(
            Operation(
                work: work, begins: begins, ends: begins + timing.duration(of: work), isLost: isLost,
                source: source))
        return begins
    }

    /// Overwrites memory that waiting writes point to: pieces that are not yet in flash change with it.
    package mutating func overwrite(
        _ source: Int, at offset: Int, with bytes: ArraySlice<UInt8>, at now: Duration
    ) {
        advance(to: now)
        for index in queue.indices where queue[index].source == source {
            guard case .write(var waiting, let address) = queue[index].work else { continue }
            let taken = timing.bytesTaken(after: now - queue[index].begins)
            for (place, byte) in zip(offset..., bytes) where place >= taken && place < waiting.count {
                waiting[place] = byte
            }
            queue[index].work = .write(waiting, at: address)
        }
    }

    /// Clears the queue, as a reset does: unfinished operations never happen.
    public mutating func dropQueue() {
        queue = []
        latest = .zero
    }

    public func content(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        var position = range.lowerBound
        while position < range.upperBound {
            let page = Self.page(of: position)
            let end = min(page + Self.pageSize, range.upperBound)
            bytes += (pages[page] ?? Self.erased)[position - page..<end - page]
            position = end
        }
        return bytes
    }

    /// Stores bytes at once, whatever was there, as a factory or an activation does.
    public mutating func place(_ bytes: [UInt8], at address: Int) {
        write(bytes, at: address, bitsOnlyFall: false)
        changes.append(address..<address + bytes.count)
    }

    /// The ranges that changed since the last call, in order; for a memory outside the program.
    public mutating func takeChanges() -> [Range<Int>] {
        defer { changes = [] }
        return changes
    }

    private static let erased = [UInt8](repeating: 0xFF, count: pageSize)

    static func page(of address: Int) -> Int { address - address % pageSize }
    static func pages(in count: Int) -> Int { (count + pageSize - 1) / pageSize }

    private static func words(_ range: Range<Int>, _ size: Int) -> Range<Int> {
        let start = range.lowerBound - range.lowerBound % size
        return start..<start + (range.count + size - 1) / size * size
    }

    /// Writes page by page, mostly in blocks: writing byte by byte was the slowest part of the tests.
    private mutating func write(_ bytes: [UInt8], at start: Int, bitsOnlyFall: Bool) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let position = start + bytes.count - rest.count
            let page = Self.page(of: position)
            let piece = rest.prefix(page + Self.pageSize - position)
            let place = position - page..<position - page + piece.count
            let old = bitsOnlyFall ? pages[page]?[place] : nil
            let isErased = old?.contains { $0 != 0xFF } != true
            let new = isErased ? piece : ArraySlice(zip(old ?? [], piece).map { $0 & $1 })
            pages[page, default: Self.erased].replaceSubrange(place, with: new)
            rest = rest.dropFirst(piece.count)
        }
    }
}

public enum FlashWork: Hashable, Sendable {
    /// Sets all bytes of the page at this address to 0xFF.
    case erase(Int)
    /// Programs the words that the bytes at this address touch.
    case write([UInt8], at: Int)
    /// Erases one copy of the settings.
    case eraseSettings
    /// Writes one copy of the settings, of this many bytes.
    case writeSettings(Int)
}

/// The timing of a device's flash (nordic-secure.md, Timing).
public struct FlashTiming: Hashable, Sendable {
    package var pageErase: Duration
    /// The time to write up to `pieceSize` bytes.
    package var pieceWrite: Duration
    package var pageProgram: Duration

    /// The number of bytes in one write by a SoftDevice.
    package static let pieceSize = 20

    public init(pageErase: Duration, pieceWrite: Duration, pageProgram: Duration) {
        (self.pageErase, self.pieceWrite, self.pageProgram) = (pageErase, pieceWrite, pageProgram)
    }

    /// An nRF52: 87 ms to erase a page, 1.1 ms to write a piece, 42 ms to program a page.
    public static let stock = FlashTiming(
        pageErase: .milliseconds(87), pieceWrite: .microseconds(1100), pageProgram: .milliseconds(42))
    /// Serial NOR flash of a watch: 116 sectors are erased in 5.2 s.
    public static let serialNOR = FlashTiming(
        pageErase: .milliseconds(45), pieceWrite: .microseconds(200), pageProgram: .milliseconds(6))
    public static let instant = FlashTiming(pageErase: .zero, pieceWrite: .zero, pageProgram: .zero)

    /// Serial flash of a DA1458x: erasing a sector and writing an image header take 271 ms (dialog-suota.md, Timing).
    public static let serial = FlashTiming(
        pageErase: .milliseconds(270), pieceWrite: .microseconds(250), pageProgram: .milliseconds(12))
    /// Quad flash of a DA1468x or DA1469x; our assumption, as there is no public figure.
    public static let quad = FlashTiming(
        pageErase: .milliseconds(60), pieceWrite: .microseconds(60), pageProgram: .milliseconds(10))

    func duration(of work: FlashWork) -> Duration {
        switch work {
        case .erase, .eraseSettings: pageErase
        case .write(let bytes, _): pieceWrite * pieces(bytes.count)
        case .writeSettings(let count): pieceWrite * pieces(count)
        }
    }

    /// How many bytes of a write are in flash after `time`.
    func bytesTaken(after time: Duration) -> Int {
        guard time >= .zero else { return 0 }
        guard pieceWrite > .zero else { return .max }
        return Int(clamping: Int64(time / pieceWrite)) * Self.pieceSize
    }

    private func pieces(_ count: Int) -> Int { (count + Self.pieceSize - 1) / Self.pieceSize }
}
