/// The names that we give to bootloaders, one to each unit for one update.
enum BootloaderName {
    private static let start = "Dfu"
    private static let digits = 5

    /// A name that nobody else near has, in all likelihood.
    static func random() -> String {
        start + String((0..<digits).map { _ in Character("\(Int.random(in: 0...9))") })
    }
}
