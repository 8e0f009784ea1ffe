/// The names that we give to bootloaders, one to each unit for one update.
enum BootloaderName {
    private static let start = "Dfu"
    private static let digits = 5

    /// A name that nobody else near has, in all likelihood.
    static func random() -> String {
        start + String((0..<digits).map { _ in Character("\(Int.random(in: 0...9))") })
    }

    /// Whether a name may be of our making.
    static func isOurs(_ name: String) -> Bool {
        name.hasPrefix(start) && name.utf8.count == start.utf8.count + digits
            && name.utf8.suffix(digits).allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
