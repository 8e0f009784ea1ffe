/// Random advertising names for bootloaders, one per unit and update.
///
/// A name has 13 bytes: an advertisement with flags and one 16-bit service has 22 bytes free for it, and with the
/// default MTU the request that sets it has 18 (nordic-dfu, 02 set advertising name). The five digits that other
/// tools draw collide too often if several benches have dozens of units in their bootloaders at a time.
enum BootloaderName {
    private static let start = "Dfu"
    private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let count = 10

    /// One of 2^50 names, so that two units nearby practically never share one.
    static func random() -> String {
        start + String((0..<count).compactMap { _ in letters.randomElement() })
    }
}
