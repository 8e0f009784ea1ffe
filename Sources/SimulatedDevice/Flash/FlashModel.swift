/// The flash of a device: cells that really are erased and programmed, and a queue that takes time.
public struct FlashModel: Sendable {
    /// Bytes in a page.
    public static let pageSize = 4096

    /// What a write does to the cells.
    public enum Cells: Hashable, Sendable {
        /// Bits only fall from 1 to 0, whole words of 4 bytes at word addresses are programmed: a write that
        /// begins off a word lands on the word below, which is how an uneven packet spoils the image while its
        /// CRC, taken in RAM, stays right (nordic-secure.md, Timing).
        case words
        /// Bits only fall from 1 to 0, byte by byte: serial flash.
        case bytes
        /// A byte takes any value without being erased: EEPROM.
        case rewritable

        /// How many bytes are programmed at once.
        var size: Int { self == .words ? 4 : 1 }
    }

    private struct Operation: Sendable {
        var work: FlashWork
        let begins: Duration
        let ends: Duration
        let isLost: Bool
        let source: Int?
    }

    /// How long each operation takes.
    public let timing: FlashTiming
    /// How many operations can wait, the one under way included.
    public let capacity: Int
    /// What a write does.
    public let cells: Cells
    /// Which image writes are given up silently, counting from 1.
    public var lostWrites: Set<Int> = []

    /// Whether a new application that is copied to its place never arrives there, and nobody notices.
    public var keepsOldApplication = false

    private var queue: [Operation] = []
    private var pages: [Int: [UInt8]] = [:]  // an erased page has no entry
    private var imageWrites = 0
    private var changes: [Range<Int>] = []
    /// Up to when everything was carried out: who waits for the queue may be ahead of who asks next.
    private var latest = Duration.zero

    /// An erased flash.
    public init(timing: FlashTiming, capacity: Int, cells: Cells = .words) {
        self.timing = timing
        self.capacity = capacity
        self.cells = cells
    }

    /// Whether the queue takes nothing more.
    public var isFull: Bool { queue.count >= capacity }

    /// How many image writes wait: each holds a packet buffer until it is done.
    public var waitingWrites: Int {
        queue.count { if case .write = $0.work { true } else { false } }
    }

    /// When everything queued by `now` is done.
    public func idle(at now: Duration) -> Duration { max(now, queue.last?.ends ?? latest) }

    /// Carries out what is finished by `now`.
    public mutating func advance(to now: Duration) {
        latest = max(latest, now)
        let count = queue.prefix { $0.ends <= now }.count
        for operation in queue.prefix(count) where !operation.isLost {
            Self.apply(operation.work, to: &pages, cells)
        }
        queue.removeFirst(count)
    }

    /// Queues `work` and tells when it begins; nil when the queue is full.
    ///
    /// Bytes that come by pointer name their `source`: what is written there later is what flash gets.
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

    /// Writes over memory that waiting writes point to: pieces that flash has not taken yet change with it.
    public mutating func overwrite(
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

    /// Forgets the queue, as a reset does: what was not finished never happens.
    public mutating func dropQueue() {
        queue = []
        latest = .zero
    }

    /// The bytes at `range` as the cells hold them now.
    public func content(_ range: Range<Int>) -> [UInt8] { Self.read(range, from: pages) }

    /// Puts bytes in place at once, whatever was there: how a factory or an activation writes.
    public mutating func place(_ bytes: [UInt8], at address: Int) {
        Self.write(bytes, at: address, to: &pages, bitsOnlyFall: false)
        changes.append(address..<address + bytes.count)
    }

    /// The ranges that changed since the last call, in order; for a memory outside the program.
    public mutating func takeChanges() -> [Range<Int>] {
        defer { changes = [] }
        return changes
    }
}

extension FlashModel {
    private static let erased = [UInt8](repeating: 0xFF, count: pageSize)

    /// The address of the page that `address` is in.
    static func page(of address: Int) -> Int { address - address % pageSize }

    /// How many pages `count` bytes fill.
    static func pages(in count: Int) -> Int { (count + pageSize - 1) / pageSize }

    private static func words(_ range: Range<Int>, _ size: Int) -> Range<Int> {
        let start = range.lowerBound - range.lowerBound % size
        return start..<start + (range.count + size - 1) / size * size
    }

    private static func apply(_ work: FlashWork, to pages: inout [Int: [UInt8]], _ cells: Cells) {
        switch work {
        case .erase(let address):
            pages[page(of: address)] = nil
        case .write(let bytes, let address):
            write(bytes, at: address - address % cells.size, to: &pages, bitsOnlyFall: cells != .rewritable)
        case .eraseSettings, .writeSettings:
            break
        }
    }

    /// Page by page and mostly as blocks: byte by byte, this was the longest of what tests wait for.
    private static func write(
        _ bytes: [UInt8], at start: Int, to pages: inout [Int: [UInt8]], bitsOnlyFall: Bool
    ) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let position = start + bytes.count - rest.count
            let page = page(of: position)
            let piece = rest.prefix(page + pageSize - position)
            let place = position - page..<position - page + piece.count
            let old = bitsOnlyFall ? pages[page]?[place] : nil
            let isErased = old?.contains { $0 != 0xFF } != true
            let new = isErased ? piece : ArraySlice(zip(old ?? [], piece).map { $0 & $1 })
            pages[page, default: erased].replaceSubrange(place, with: new)
            rest = rest.dropFirst(piece.count)
        }
    }

    private static func read(_ range: Range<Int>, from pages: [Int: [UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        var position = range.lowerBound
        while position < range.upperBound {
            let page = page(of: position)
            let end = min(page + pageSize, range.upperBound)
            bytes += (pages[page] ?? erased)[position - page..<end - page]
            position = end
        }
        return bytes
    }
}
