public import Bluetooth

extension NordicDevice {
    /// The rules broken in updates and in a session.
    public var brokenRules: [BrokenRule] {
        bootloader.statistics.brokenRules + (kbeacon?.brokenRules ?? [])
    }

    /// The meaning of a write.
    public func meaning(of value: [UInt8], to characteristic: BluetoothUUID) -> WriteMeaning {
        switch characteristic {
        case shown?.controlPoint where takesUpdates: .request(bootloader.request(value))
        case shown?.packet where takesUpdates: .data
        case description.entryCharacteristic: .request(.entry(value))
        case AttributeTable.kbeaconWrite: .data
        default: .request(ClientRequest("write", ["bytes": value.count]))
        }
    }

    /// The accepted bytes of the image.
    public var acceptedBytes: Int { bootloader.acceptedBytes }

    /// The packets that the bootloader or receiver had no buffer for.
    public var droppedPackets: Int { bootloader.statistics.packetsDropped }

    /// An image that waits to be installed.
    public func completedUpdate(at now: Duration) -> CompletedUpdate? {
        guard let waiting = bootloader.settledSettings.activation else { return nil }
        var flash = bootloader.flash
        flash.advance(to: flash.idle(at: now))
        return CompletedUpdate(held: flash.content(waiting.address..<waiting.address + waiting.size))
    }
}
