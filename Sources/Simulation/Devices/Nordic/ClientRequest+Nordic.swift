extension ClientRequest {
    /// A write to the Control Point of Secure DFU (nordic-secure.md, Layout).
    static func secure(_ request: [UInt8]) -> ClientRequest {
        switch request.first {
        case 0x01:
            ClientRequest("create", ["object": request.field(1, 1), "bytes": request.field(2, 4)])
        case 0x02: ClientRequest("set-receipts", ["packets": request.field(1, 2)])
        case 0x03: ClientRequest("get-checksum")
        case 0x04: ClientRequest("execute")
        case 0x06: ClientRequest("select", ["object": request.field(1, 1)])
        case 0x07: ClientRequest("get-mtu")
        case 0x08: ClientRequest("write")
        case 0x09: ClientRequest("ping")
        case 0x0A: ClientRequest("get-hardware-version")
        case 0x0B: ClientRequest("get-firmware-version")
        case 0x0C: ClientRequest("abort")
        case let opcode: ClientRequest("unknown", ["opcode": Int(opcode ?? 0)])
        }
    }

    /// A write to the Control Point of Legacy DFU (nordic-legacy.md, Layout).
    static func legacy(_ request: [UInt8]) -> ClientRequest {
        switch request.first {
        case 0x01: ClientRequest("start", request.count > 1 ? ["mode": request.field(1, 1)] : [:])
        case 0x02: ClientRequest("init-packet", request.count > 1 ? ["complete": request.field(1, 1)] : [:])
        case 0x03: ClientRequest("receive-image")
        case 0x04: ClientRequest("validate")
        case 0x05: ClientRequest("activate")
        case 0x06: ClientRequest("reset")
        case 0x07: ClientRequest("get-received-bytes")
        case 0x08: ClientRequest("set-receipts", ["packets": request.field(1, 2)])
        case let opcode: ClientRequest("unknown", ["opcode": Int(opcode ?? 0)])
        }
    }

    /// A write to the characteristic that enters the bootloader (nordic-buttonless.md, Layout).
    static func entry(_ request: [UInt8]) -> ClientRequest {
        switch request.first {
        case 0x01: ClientRequest("enter-bootloader")
        case 0x02: ClientRequest("set-name", ["bytes": max(0, request.count - 2)])
        case let opcode: ClientRequest("unknown", ["opcode": Int(opcode ?? 0)])
        }
    }
}

extension [UInt8] {
    /// A little-endian number of `width` bytes; missing bytes are 0.
    func field(_ offset: Int, _ width: Int) -> Int {
        dropFirst(offset).prefix(width).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
