import Bytes

/// The flash of a Feasycom beacon: a page of settings, and two image slots, each with a page of notes before it.
struct FBeaconFlash: Sendable {
    enum Place: Int, Sendable {
        case application
        /// The image that has arrived, and will become the application.
        case arrival
    }

    var cells: FlashModel
    private let maximumImageSize: Int

    private static let page = FlashModel.pageSize

    init(_ description: FBeaconDescription) {
        maximumImageSize = description.maximumImageSize
        cells = FlashModel(timing: description.timing, capacity: .max, cells: .bytes)
        place(description.firmware)
    }

    private func start(_ place: Place) -> Int { Self.page + place.rawValue * (Self.page + maximumImageSize) }
    private func body(_ place: Place) -> Int { start(place) + Self.page }

    private mutating func place(_ firmware: FBeaconFirmware) {
        let image = FBeaconImage(firmware.payload, version: firmware.version)
        cells.place(image.note, at: start(.application))
        cells.place(firmware.payload, at: body(.application))
    }

    func note(of place: Place) -> FBeaconImage? {
        FBeaconImage(
            note: cells.content(start(place)..<start(place) + FBeaconImage.noteSize),
            maximumImageSize: maximumImageSize)
    }

    func image(at place: Place) -> FBeaconFirmware? {
        guard let note = note(of: place) else { return nil }
        let payload = content(of: place, note.length)
        guard CRC16.checksum(payload) == note.checksum else { return nil }
        return FBeaconFirmware(version: note.version, payload: payload)
    }

    func content(of place: Place, _ length: Int) -> [UInt8] {
        cells.content(body(place)..<body(place) + min(length, maximumImageSize))
    }

    var settings: [UInt8] { cells.content(0..<Self.page) }

    /// Invalidates the image at `place`. The note of the application stays, so that the bootloader can still report its
    /// version; the CRC shows that the image is gone.
    mutating func begin(at place: Place, _ now: Duration) {
        if place == .arrival { append(.erase(start(place)), now) }
    }

    /// Writes block `index`, counted from 0; returns false if it does not fit.
    mutating func write(_ block: [UInt8], _ index: Int, at place: Place, _ now: Duration) -> Bool {
        let offset = index * block.count
        guard offset + block.count <= maximumImageSize else { return false }
        if offset % Self.page == 0 { append(.erase(body(place) + offset), now) }
        append(.write(block, at: body(place) + offset), now)
        return true
    }

    mutating func finish(_ image: FBeaconImage, at place: Place, restoringSettings: Bool, _ now: Duration) {
        if place == .application { append(.erase(start(place)), now) }
        append(.write(image.note, at: start(place)), now)
        if restoringSettings { append(.erase(0), now) }
    }

    mutating func store(_ settings: FBeaconSettings, _ now: Duration) {
        append(.erase(0), now)
        append(.write(settings.stored, at: 0), now)
    }

    private mutating func append(_ work: FlashWork, _ now: Duration) { _ = cells.append(work, at: now) }

    /// The bootloader's first step: installs an image that has arrived; returns how long that takes. After a power loss
    /// it starts over, because the arrival is erased last.
    mutating func install() -> Duration {
        guard let arrival = image(at: .arrival) else { return .zero }
        place(arrival)
        cells.place([UInt8](repeating: 0xFF, count: FBeaconImage.noteSize), at: start(.arrival))
        let pages = FlashModel.pages(in: arrival.payload.count) + 1
        return (cells.timing.pageErase + cells.timing.pageProgram) * pages
    }
}

public struct FBeaconFirmware: Hashable, Sendable {
    /// Its version; 830 is displayed as 8.30.
    public var version: UInt16
    public var payload: [UInt8]

    public init(version: UInt16 = 830, payload: [UInt8] = [UInt8](repeating: 0xA5, count: 1024)) {
        (self.version, self.payload) = (version, payload)
    }
}

/// What flash records about an image, in a page before it; the layout is our own.
///
///     0   2  0x46 0x4E
///     2   2  version
///     4   4  length
///     8   2  CRC-16/XMODEM of the image
extension FBeaconImage {
    fileprivate static let noteSize = 10

    /// The note in `bytes`; nil if there is none, or if its image would not fit in `maximumImageSize` bytes.
    fileprivate init?(note bytes: [UInt8], maximumImageSize: Int) {
        let length = bytes.field(4, 4)
        guard bytes.starts(with: [0x46, 0x4E]), length <= maximumImageSize else { return nil }
        self.init(
            length: length, checksum: UInt16(clamping: bytes.field(8, 2)),
            version: UInt16(clamping: bytes.field(2, 2)))
    }

    fileprivate var note: [UInt8] {
        [0x46, 0x4E] + version.bytes() + UInt32(clamping: length).bytes()
            + checksum.bytes()
    }
}
