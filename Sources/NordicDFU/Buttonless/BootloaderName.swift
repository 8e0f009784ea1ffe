/// The names that we give to bootloaders, one to each unit for one update.
///
/// Of 13 bytes: with flags and one service of 16 bits an advertisement has room for 22, and the request to set it takes 18 with the
/// default MTU (nordic-dfu, 02 set advertising name). Five digits, as others draw them, meet too often where several benches have
/// dozens of units in their bootloaders at a time.
enum BootloaderName {
    private static let start = "Dfu"
    private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let count = 10

    /// A name that nobody else near has: one of 2^50.
    static func random() -> String {
        start + String((0..<count).compactMap { _ in letters.randomElement() })
    }
}
