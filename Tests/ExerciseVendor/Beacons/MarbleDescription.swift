import Bluetooth

/// A simulated Marble beacon: its properties and initial content.
struct MarbleDescription: Sendable {
    /// Its address.
    var address: DeviceAddress
    /// Its name.
    var name = "Marble"
    /// Its board.
    var board: UInt8 = 3
    /// The version that runs at first.
    var version = "1.0.0"
    /// Its model.
    var model = "Pebble-3"
    /// The PIN of its sessions.
    var pin = "0000"
    /// Whether its settings cannot be changed.
    var isSealed = false
    /// Its received signal, in dBm.
    var rssi: Int8 = -50
}
