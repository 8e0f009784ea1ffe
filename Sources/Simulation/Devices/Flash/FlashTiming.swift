/// The timing of a device's flash (nordic-secure.md, Timing).
public struct FlashTiming: Hashable, Sendable {
    /// Time to erase one page of 4096 bytes.
    public var pageErase: Duration
    /// Time of one SoftDevice write of up to 20 bytes.
    public var pieceWrite: Duration
    /// Time to program a whole page while no SoftDevice runs, as during activation.
    public var pageProgram: Duration

    /// Bytes in one SoftDevice write.
    public static let pieceSize = 20

    /// The timing of a flash.
    public init(pageErase: Duration, pieceWrite: Duration, pageProgram: Duration) {
        self.pageErase = pageErase
        self.pieceWrite = pieceWrite
        self.pageProgram = pageProgram
    }

    /// An nRF52: 87 ms a page, 1.1 ms a piece, 42 ms to program a page.
    public static let stock = FlashTiming(
        pageErase: .milliseconds(87), pieceWrite: .microseconds(1100), pageProgram: .milliseconds(42))
    /// Serial NOR flash of a watch: 116 sectors are erased in 5.2 s.
    public static let serialNOR = FlashTiming(
        pageErase: .milliseconds(45), pieceWrite: .microseconds(200), pageProgram: .milliseconds(6))
    /// A flash that takes no time.
    public static let instant = FlashTiming(pageErase: .zero, pieceWrite: .zero, pageProgram: .zero)

    /// Serial flash of a DA1458x: erasing a sector and writing an image header take 271 ms (dialog-suota.md, Timing).
    public static let serial = FlashTiming(
        pageErase: .milliseconds(270), pieceWrite: .microseconds(250), pageProgram: .milliseconds(12))
    /// Quad flash of a DA1468x or DA1469x; our assumption, as there is no public figure.
    public static let quad = FlashTiming(
        pageErase: .milliseconds(60), pieceWrite: .microseconds(60), pageProgram: .milliseconds(10))

    /// How long `work` takes.
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
