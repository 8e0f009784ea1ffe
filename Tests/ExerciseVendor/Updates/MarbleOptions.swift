import UpdateModel

/// How a Marble file is sent (README.md, Option).
struct MarbleOptions: VendorOptions {
    /// The most windows of an interrupted update to keep; nil for all.
    var windowsKept: UInt8?

    static let title = "Marble"
    static let options = [keepWindows]

    private static let mostWindows = 64
    private static let keepWindows = VendorOption(
        "keep-windows", .number(UInt8.self), "windows",
        help: "Keep at most this many windows of an interrupted update. Default: all.", in: [.catalogue])

    static func flaw(in values: OptionValues) -> Advice? {
        guard let count: Int = values.number(keepWindows), count > mostWindows else { return nil }
        return "\(keepWindows) is a number of windows from 0 to \(mostWindows)"
    }

    mutating func adopt(_ values: OptionValues, from file: [UInt8]?) {
        windowsKept = values.number(Self.keepWindows)
    }
}
