public import BluetoothTypes

/// How a bootloader shows itself on the air.
public struct BootloaderPresence: Sendable {
    /// Its services.
    public var table: AttributeTable
    /// The largest ATT MTU.
    public var maximumMTU: Int
    /// Whether a smaller MTU is agreed on only as 4n+3.
    public var keepsWordSize: Bool
    /// Where requests are written and answers come from.
    public var controlPoint: BluetoothUUID
    /// Where init packet and image are written.
    public var packet: BluetoothUUID
    /// The first byte of an answer.
    public var response: UInt8
    /// What it advertises; nothing at all when its advertising is directed to one central.
    public var advertising: [AdvertisingData.Element]
    /// Whether it is heard at the application's address instead of its own.
    public var isAtApplicationAddress = false

    func server() -> AttributeServer {
        AttributeServer(table, maximumMTU: maximumMTU, keepsWordSize: keepsWordSize)
    }
}
