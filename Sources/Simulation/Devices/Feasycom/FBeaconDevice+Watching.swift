public import Bluetooth

extension FBeaconDevice {
    /// The rules that clients broke.
    public var brokenRules: [BrokenRule] { receiver.record.clientErrors.map(\.broken) }

    /// The meaning of a write.
    public func meaning(of value: [UInt8], to characteristic: BluetoothUUID) -> WriteMeaning {
        switch phase {
        case .transfer where characteristic == AttributeTable.fbeaconCommands: .data
        default: .request(ClientRequest("command", ["bytes": value.count]))
        }
    }

    /// The image that was accepted after EOT: its checksum in flash is that of the received bytes.
    public func completedUpdate(at now: Duration) -> CompletedUpdate? {
        receiver.completed.map { image in
            var update = CompletedUpdate(held: image, starts: !receiver.faults.has(.keepOldApplication))
            update.sent = image
            return update
        }
    }
}
