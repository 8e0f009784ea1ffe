import BluetoothTypes

/// What a program calls itself, and which characteristic says so.
struct Revision: Equatable, Sendable {
    var text: String
    var source: BluetoothUUID
}
