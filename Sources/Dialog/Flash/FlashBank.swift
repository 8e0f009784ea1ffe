/// The two image banks of a DA1458x device, in the known layouts (suota-image.md, Checks).
public struct FlashBank: Hashable, Sendable {
    /// The devices with this layout.
    public let name: String
    /// Address of the first bank.
    public let first: Int
    /// Address of the second bank.
    public let second: Int

    /// The largest payload: a bank less the header.
    public var payloadLimit: Int { second - first - HeaderFamily.da1458x.headerBytes }

    /// SDK 6 on 2 Mbit of flash; no other known layout has larger banks.
    public static let standard = FlashBank(name: "SDK 6, 2 Mbit", first: 0x4000, second: 0x1F000)
    /// All known layouts: SDK 6, DA14531 modules of 1 Mbit, and an open-source price tag.
    public static let known = [
        standard, FlashBank(name: "DA14531 module, 1 Mbit", first: 0x4000, second: 0x10000),
        FlashBank(name: "images at 2000 and 14000", first: 0x2000, second: 0x14000),
    ]
}
