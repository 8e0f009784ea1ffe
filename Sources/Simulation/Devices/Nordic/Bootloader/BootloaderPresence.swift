public import Bluetooth

/// The advertising and services of a bootloader.
public struct BootloaderPresence: Sendable {
    /// Its services.
    public var table: AttributeTable
    /// The largest ATT MTU.
    public var maximumMTU: Int
    /// Whether a smaller MTU is agreed on only as 4n+3.
    public var keepsWordSize: Bool
    /// The characteristic for requests and responses.
    public var controlPoint: BluetoothUUID
    /// The characteristic for init packet and image.
    public var packet: BluetoothUUID
    /// The first byte of a response.
    public var response: UInt8
    /// Its advertising data; empty if its advertising is directed to one central.
    public var advertising: [AdvertisingData.Element]
    /// Whether it advertises at the application's address instead of its own.
    public var isAtApplicationAddress = false

    func server() -> AttributeServer {
        AttributeServer(table, maximumMTU: maximumMTU, keepsWordSize: keepsWordSize)
    }
}
