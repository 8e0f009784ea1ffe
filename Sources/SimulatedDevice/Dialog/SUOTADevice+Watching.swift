public import BluetoothTypes

extension SUOTADevice {
    /// That of the receiver, where it has one.
    public var offeredChannel: (psm: UInt16, maximumPacket: Int)? {
        description.personality.psm.map { ($0, description.personality.channelMTU) }
    }

    /// What its receiver must never be told.
    public var brokenRules: [BrokenRule] { receiver.record.clientErrors.map(\.broken) }

    /// What it takes a write for.
    public func meaning(of value: [UInt8], to characteristic: BluetoothUUID) -> WriteMeaning {
        let request: ClientRequest
        switch SUOTATarget(characteristic) {
        case .patchData: return .data
        case .patchLength: request = ClientRequest("patch-length", ["bytes": value.field(0, 2)])
        case .pinMap: request = ClientRequest("pins", ["map": value.field(0, 4)])
        case .memoryDevice: request = .memoryDevice(value)
        case nil: request = ClientRequest("write", ["bytes": value.count])
        }
        return .request(request)
    }

    /// Those of the file that is sent, header and all.
    public var acceptedBytes: Int { receiver.acceptedBytes }

    /// What would start now, once END was answered well.
    public func completedUpdate(at now: Duration) -> CompletedUpdate? {
        guard receiver.hasEnded, receiver.status == ReceiverStatus.ok.rawValue, receiver.verdictDue == nil
        else { return nil }
        var next = receiver
        let boot = next.reset(at: next.idle(at: now))
        guard let image = boot.image else { return nil }
        return CompletedUpdate(
            held: image.payload, from: receiver.codeStart,
            starts: boot.isAlive && image != self.boot.image)
    }
}

extension ClientRequest {
    /// A write to MEM_DEV (dialog-suota.md, Commands).
    fileprivate static func memoryDevice(_ value: [UInt8]) -> ClientRequest {
        switch value.last {
        case 0x12, 0x13: ClientRequest("start", ["memory": value.field(3, 1), "bank": value.field(0, 3)])
        case 0xFD: ClientRequest("reboot")
        case 0xFE: ClientRequest("end")
        case 0xFF: ClientRequest("abort")
        case let type: ClientRequest("unknown", ["memory": Int(type ?? 0)])
        }
    }
}

extension BankReceiver {
    /// Those in flash, and those that wait for the rest of their block.
    public var acceptedBytes: Int { imageBytes + collected.count }
    /// After the header.
    public var codeStart: Int { BankHeader.size }
}

extension StreamReceiver {
    /// Header and code.
    public var acceptedBytes: Int {
        switch stage {
        case .idle, .failed: 0
        case .header(let bytes): bytes.count
        case .body(_, let count): count
        }
    }

    /// Where its header says.
    public var codeStart: Int { if case .body(let header, _) = stage { header.codeOffset } else { 0 } }
}
