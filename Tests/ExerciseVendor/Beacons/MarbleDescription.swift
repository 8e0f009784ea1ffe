import BluetoothTypes

/// A Marble beacon to be simulated: what it is and what is in it at first.
struct MarbleDescription: Sendable {
    /// Where it is found.
    var address: DeviceAddress
    /// Its name.
    var name = "Marble"
    /// Its board.
    var board: UInt8 = 3
    /// The version that runs at first.
    var version = "1.0.0"
    /// How loud it is heard, in dBm.
    var rssi: Int8 = -50
}
