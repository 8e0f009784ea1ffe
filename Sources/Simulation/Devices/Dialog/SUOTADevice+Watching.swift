public import Bluetooth

extension SUOTADevice {
    /// The channel of the receiver, if it has one.
    public var offeredChannel: (psm: UInt16, maximumPacket: Int)? {
        description.personality.psm.map { ($0, description.personality.channelMTU) }
    }

    /// The rules that clients broke.
    public var brokenRules: [BrokenRule] { receiver.record.clientErrors.map(\.broken) }

    /// The meaning of a write.
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

    /// The accepted bytes of the file, including the header.
    public var acceptedBytes: Int { receiver.acceptedBytes }

    /// The image that would start now, once END was answered with success.
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
    /// The bytes in flash, and those of an incomplete block.
    public var acceptedBytes: Int { imageBytes + collected.count }
    /// The code starts after the header.
    public var codeStart: Int { BankHeader.size }
}

extension StreamReceiver {
    /// The bytes of header and code.
    public var acceptedBytes: Int {
        switch stage {
        case .idle, .failed: 0
        case .header(let bytes): bytes.count
        case .body(_, let count): count
        }
    }

    /// The code starts where the header says.
    public var codeStart: Int { if case .body(let header, _) = stage { header.codeOffset } else { 0 } }
}
