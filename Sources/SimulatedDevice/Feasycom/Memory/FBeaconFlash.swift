import Digests

/// The flash of a Feasycom beacon: a page of settings, and two places for an image, each with a page of notes before it.
struct FBeaconFlash: Sendable {
    /// A place for an image.
    enum Place: Int, Sendable {
        /// The application that is started.
        case application
        /// What has arrived and is to become the application.
        case arrival
    }

    var cells: FlashModel
    private let room: Int

    private static let page = FlashModel.pageSize

    /// Bytes of a flash whose places have `room` bytes each.
    static func size(room: Int) -> Int { 3 * page + 2 * room }

    /// A flash with an application from the factory.
    init(_ description: FBeaconDescription) {
        room = description.room
        cells = FlashModel(timing: description.timing, capacity: .max, cells: .bytes)
        let factory = description.firmware
        place(FBeaconNote(FBeaconImage(factory.payload, version: factory.version)), factory.payload)
    }

    private func start(_ place: Place) -> Int { Self.page + place.rawValue * (Self.page + room) }
    private func body(_ place: Place) -> Int { start(place) + Self.page }

    private mutating func place(_ note: FBeaconNote, _ payload: [UInt8]) {
        cells.place(note.bytes, at: start(.application))
        cells.place(payload, at: body(.application))
    }

    /// What is said of the image at `place`.
    func note(of place: Place) -> FBeaconNote? {
        FBeaconNote(cells.content(start(place)..<start(place) + FBeaconNote.size), room: room)
    }

    /// The image at `place`, where it is whole.
    func image(at place: Place) -> FBeaconFirmware? {
        guard let note = note(of: place) else { return nil }
        let payload = content(of: place, note.length)
        guard CRC16.checksum(payload) == note.checksum else { return nil }
        return FBeaconFirmware(version: note.version, payload: payload)
    }

    /// The first bytes at `place`.
    func content(of place: Place, _ length: Int) -> [UInt8] {
        cells.content(body(place)..<body(place) + min(length, room))
    }

    /// The settings as text.
    var settings: [UInt8] { cells.content(0..<Self.page) }

    // MARK: Writing

    /// Makes clear that what is at `place` is no image any more. The application's note stays, so that the bootloader
    /// can say which version was there; that it is there no more, its CRC says.
    mutating func begin(at place: Place, _ now: Duration) {
        if place == .arrival { append(.erase(start(place)), now) }
    }

    /// Writes block `index`, counted from 0; false when there is no room.
    mutating func write(_ block: [UInt8], _ index: Int, at place: Place, _ now: Duration) -> Bool {
        let offset = index * block.count
        guard offset + block.count <= room else { return false }
        if offset % Self.page == 0 { append(.erase(body(place) + offset), now) }
        append(.write(block, at: body(place) + offset), now)
        return true
    }

    /// What is at `place` is `image`.
    mutating func finish(_ image: FBeaconImage, at place: Place, restoringSettings: Bool, _ now: Duration) {
        if place == .application { append(.erase(start(place)), now) }
        append(.write(FBeaconNote(image).bytes, at: start(place)), now)
        if restoringSettings { append(.erase(0), now) }
    }

    mutating func keep(_ settings: FBeaconSettings, _ now: Duration) {
        append(.erase(0), now)
        append(.write(settings.stored, at: 0), now)
    }

    private mutating func append(_ work: FlashWork, _ now: Duration) { _ = cells.append(work, at: now) }

    /// What the bootloader does first: what has arrived becomes the application; how long that takes. Power that goes
    /// meanwhile only makes it begin again, because the arrival is forgotten last.
    mutating func install() -> Duration {
        guard let arrival = image(at: .arrival) else { return .zero }
        place(FBeaconNote(FBeaconImage(arrival.payload, version: arrival.version)), arrival.payload)
        cells.place([UInt8](repeating: 0xFF, count: FBeaconNote.size), at: start(.arrival))
        let pages = FlashModel.pages(in: arrival.payload.count) + 1
        return (cells.timing.pageErase + cells.timing.pageProgram) * pages
    }
}

extension FBeaconDescription {
    /// Bytes of its flash.
    public var flashSize: Int { FBeaconFlash.size(room: room) }
}
