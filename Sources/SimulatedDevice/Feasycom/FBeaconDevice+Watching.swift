public import BluetoothTypes

extension FBeaconDevice {
    /// What its session and its receiver must never be told.
    public var brokenRules: [BrokenRule] { receiver.record.clientErrors.map(\.broken) }

    /// What it takes a write for.
    public func meaning(of value: [UInt8], to characteristic: BluetoothUUID) -> WriteMeaning {
        switch phase {
        case .transfer where characteristic == AttributeTable.fbeaconCommands: .data
        default: .request(ClientRequest("command", ["bytes": value.count]))
        }
    }

    /// The image that was found good after EOT: what flash holds has the checksum of what came.
    public func completedUpdate(at now: Duration) -> CompletedUpdate? {
        receiver.completed.map { image in
            var update = CompletedUpdate(held: image, starts: !receiver.faults.has(.keepOldApplication))
            update.sent = image
            return update
        }
    }
}
