import Bytes
import Simulation

/// The flash of a Marble beacon: the running image and the incoming one.
///
/// Each has a page of notes before its body:
///
///      0  20  header
///     32   1  00: checked, and to be started
///     64  64  a byte for each window; 00: it is in flash
///
/// The last page begins with the setting.
struct MarbleFlash: Sendable {
    static let room = 65_536
    static let window = 1024
    static let size = setting + FlashModel.pageSize

    private static let half = room + FlashModel.pageSize
    private static let notes = half
    private static let place = half + FlashModel.pageSize
    private static let setting = 2 * half

    var cells = FlashModel(timing: .stock, capacity: 4096, cells: .bytes)
    /// The header of the incoming image; nil if there is none.
    private(set) var header: [UInt8]?
    /// Bytes of its body that are in flash.
    private(set) var offset = 0

    /// How long to shine, in seconds.
    private(set) var shine = factoryShine
    private static let factoryShine: UInt8 = 10

    init(factory body: [UInt8]) {
        cells.place([shine], at: Self.setting)
        cells.place([UInt8](repeating: 0, count: 20), at: 0)
        cells.place(body, at: FlashModel.pageSize)
    }

    init(retained bytes: [UInt8]) {
        cells.place(bytes, at: 0)
        read()
    }

    /// The version of the running image.
    var version: String {
        String(
            decoding: cells.content(FlashModel.pageSize..<FlashModel.pageSize + 12).prefix { $0 != 0 },
            as: UTF8.self)
    }

    /// Length and CRC-32 of the incoming image.
    var length: Int { header.map { number($0[8..<12]) } ?? 0 }

    private func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// Restores the setting and the state of the incoming image at power-up.
    private mutating func read() {
        let stored = cells.content(Self.setting..<Self.setting + 1).first
        shine = stored.flatMap { $0 <= 60 ? $0 : nil } ?? Self.factoryShine
        let notes = cells.content(Self.notes..<Self.notes + 128)
        header = notes[..<4].elementsEqual("MARB".utf8) ? Array(notes[..<20]) : nil
        offset = min(notes[64...].prefix { $0 == 0 }.count * Self.window, length)
    }

    /// Erases flash for the image with this header, unless it is already incoming.
    mutating func prepare(_ new: [UInt8], at now: Duration) {
        guard new != header else { return }
        header = new
        offset = 0
        for page in stride(from: Self.notes, to: Self.place + length, by: FlashModel.pageSize) {
            _ = cells.append(.erase(page), at: now)
        }
        _ = cells.append(.write(new, at: Self.notes), at: now)
    }

    /// Stores the next window of the body.
    mutating func write(_ bytes: [UInt8], at now: Duration) {
        _ = cells.append(.write(bytes, at: Self.place + offset), at: now)
        _ = cells.append(.write([0], at: Self.notes + 64 + offset / Self.window), at: now)
        offset += bytes.count
    }

    /// The CRC-32 of the body once everything is written.
    func checksum(at now: Duration) -> UInt32 {
        var copy = cells
        copy.advance(to: cells.idle(at: now))
        return CRC32.checksum(copy.content(Self.place..<Self.place + offset))
    }

    /// Whether `checksum` is the expected one of the body.
    func promises(_ checksum: UInt32) -> Bool { header.map { number($0[12..<16]) } == Int(checksum) }

    /// Stores the setting.
    mutating func store(shine: UInt8, at now: Duration) {
        self.shine = shine
        _ = cells.append(.erase(Self.setting), at: now)
        _ = cells.append(.write([shine], at: Self.setting), at: now)
    }

    /// Discards the incoming image.
    mutating func discard(at now: Duration) {
        header = nil
        offset = 0
        _ = cells.append(.erase(Self.notes), at: now)
    }

    /// Forgets the windows of the incoming image after the first `count`.
    mutating func keep(windows count: Int, at now: Duration) {
        guard let header, count * Self.window < offset else { return }
        offset = count * Self.window
        _ = cells.append(.erase(Self.notes), at: now)
        _ = cells.append(.write(header, at: Self.notes), at: now)
        if count > 0 {
            _ = cells.append(.write([UInt8](repeating: 0, count: count), at: Self.notes + 64), at: now)
        }
    }

    /// Marks the incoming image to start at the next reset.
    mutating func mark(at now: Duration) { _ = cells.append(.write([0], at: Self.notes + 32), at: now) }

    /// Handles power-up; returns whether another image runs now.
    mutating func reset(at now: Duration) -> Bool {
        cells.advance(to: now)
        cells.dropQueue()
        read()
        guard header != nil, cells.content(Self.notes + 32..<Self.notes + 33) == [0] else { return false }
        cells.place(cells.content(Self.notes..<Self.place + offset), at: 0)
        cells.place([UInt8](repeating: 0xFF, count: FlashModel.pageSize), at: Self.notes)
        read()
        return true
    }
}
