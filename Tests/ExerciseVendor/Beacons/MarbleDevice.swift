import Bluetooth
import Bytes
import Simulation

/// A Marble beacon, as a value (README.md, On the air).
struct MarbleDevice: BeaconDevice {
    let description: MarbleDescription
    private var memory: MarbleFlash
    /// Bytes of an incomplete window.
    private var buffer: [UInt8] = []
    private var isChecked = false
    /// Whether the PIN was written on this link.
    private var isOpen = false

    /// A factory-new beacon, or one with the retained bytes of its flash.
    init(_ description: MarbleDescription, retained: [UInt8]? = nil) {
        self.description = description
        let version = Array(description.version.utf8.prefix(12))
        let body =
            version + [UInt8](repeating: 0, count: 16 - version.count) + [UInt8](repeating: 0xA5, count: 64)
        memory = retained.map(MarbleFlash.init(retained:)) ?? MarbleFlash(factory: body)
    }

    var address: DeviceAddress { description.address }

    var flash: FlashModel {
        get { memory.cells }
        set { memory.cells = newValue }
    }

    func advertisement(at now: Duration) -> Advertisement? {
        var data = AdvertisingData()
        data.elements = [
            .flags(0x06), .services([Self.service], complete: true), .name(description.name, complete: true),
            MarbleFrame(version: memory.version).element,
        ]
        return Advertisement(address: address, rssi: description.rssi, isConnectable: true, data: data)
    }

    mutating func connect(at now: Duration) -> AttributeServer {
        buffer = []
        isOpen = false
        return AttributeServer(table, maximumMTU: 185)
    }

    mutating func receive(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        let outcome = server.receive(packet)
        let answer = outcome.answer.map { [BeaconReaction.send($0, at: now)] } ?? []
        switch outcome.event {
        case .written(let value, Self.header): return answer + take(header: value, at: now)
        case .written(let value, Self.command): return answer + obey(value, at: now)
        case .written(let value, Self.request): return answer + handle(value, at: now)
        case .commanded(let value, Self.data): return answer + take(value, at: now)
        default: return answer
        }
    }

    mutating func disconnect(at now: Duration) -> Duration? {
        buffer = []
        return nil
    }

    mutating func reset(at now: Duration) -> Duration {
        buffer = []
        isChecked = false
        return memory.reset(at: now) ? .seconds(1) : .milliseconds(200)
    }

    func settled(at now: Duration, before reset: Duration?) -> MarbleDevice {
        var copy = self
        copy.flash.advance(to: flash.idle(at: now))
        return copy
    }
}

extension MarbleDevice {
    private mutating func take(header: [UInt8], at now: Duration) -> [BeaconReaction] {
        buffer = []
        isChecked = false
        guard header.count == 20, header[..<5].elementsEqual(Array("MARB".utf8) + [1]),
            Self.bytes(of: CRC32.checksum(header[..<16])).elementsEqual(header[16...])
        else { return [say(0xE3, 0, at: now)] }
        guard header[5] == 0 || header[5] == description.board else {
            return [say(0xE1, UInt32(description.board), at: now)]
        }
        let length = header[8..<12].reduce(0) { $0 << 8 | Int($1) }
        guard length <= MarbleFlash.room else { return [say(0xE2, UInt32(MarbleFlash.room), at: now)] }
        memory.prepare(header, at: now)
        return [sayOffset(at: now)]
    }

    private mutating func take(_ bytes: [UInt8], at now: Duration) -> [BeaconReaction] {
        var reactions: [BeaconReaction] = []
        for byte in bytes where memory.offset < memory.length {
            buffer.append(byte)
            guard buffer.count == min(MarbleFlash.window, memory.length - memory.offset) else { continue }
            memory.write(buffer, at: now)
            buffer = []
            reactions.append(sayOffset(at: now))
        }
        return reactions
    }

    private mutating func obey(_ command: [UInt8], at now: Duration) -> [BeaconReaction] {
        switch command.first {
        case 0x01 where command.count == 5:
            let found = memory.checksum(at: now)
            isChecked =
                memory.offset == memory.length && memory.promises(found)
                && Self.bytes(of: found).elementsEqual(command[1...])
            if !isChecked { memory.discard(at: now) }
            return [say(isChecked ? 0x01 : 0xE4, found, at: now)]
        case 0x02 where isChecked:
            memory.mark(at: now)
            return [.reset(at: flash.idle(at: now) + .milliseconds(50))]
        case 0x03 where command.count == 2:
            buffer = []
            isChecked = false
            memory.keep(windows: Int(command[1]), at: now)
            return []
        default: return []
        }
    }

    /// Handles a request in a session.
    private mutating func handle(_ request: [UInt8], at now: Duration) -> [BeaconReaction] {
        func reply(_ status: UInt8, _ content: [UInt8] = []) -> [BeaconReaction] {
            [
                .notify(
                    request.prefix(1) + [status] + content, from: Self.answer, mayIndicate: false,
                    at: flash.idle(at: now))
            ]
        }
        switch (request.first, Array(request.dropFirst())) {
        case (nil, _): return []
        case (0x10, let pin):
            isOpen = pin.elementsEqual(description.pin.utf8)
            return reply(isOpen ? 0x00 : 0x01)
        case _ where !isOpen: return reply(0x01)
        case (0x20, []): return reply(0x00, [memory.shine])
        case (0x21, _) where description.isSealed: return reply(0x02)
        case (0x21, let value) where value.count == 1 && value[0] <= 60:
            memory.store(shine: value[0], at: now)
            return reply(0x00)
        case (0x30, []): return reply(0x00, Array(description.model.utf8))
        default: return reply(0x03)
        }
    }

    private func sayOffset(at now: Duration) -> BeaconReaction { say(0x00, UInt32(memory.offset), at: now) }

    /// Once flash is done.
    private func say(_ code: UInt8, _ number: UInt32, at now: Duration) -> BeaconReaction {
        .notify(
            [code] + Self.bytes(of: number), from: Self.state, mayIndicate: false, at: flash.idle(at: now))
    }

    private static func bytes(of number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
}

extension MarbleDevice {
    private static let service = uuid(0x4D41_0001)
    private static let header = uuid(0x4D41_0002)
    private static let data = uuid(0x4D41_0003)
    private static let command = uuid(0x4D41_0004)
    private static let state = uuid(0x4D41_0005)
    private static let sessions = uuid(0x4D41_0011)
    private static let request = uuid(0x4D41_0012)
    private static let answer = uuid(0x4D41_0013)

    private static func uuid(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: number << 32 | 0x7262_4C65, low: 0x9A3C_5D1E_F07B_2468)
    }

    private var table: AttributeTable {
        func text(_ number: UInt16, _ text: String) -> AttributeTable.Entry {
            AttributeTable.Entry(BluetoothUUID(number), .read, value: Array(text.utf8))
        }
        return AttributeTable([
            AttributeTable.Service(BluetoothUUID(0x1800), [text(0x2A00, description.name)]),
            AttributeTable.Service(
                BluetoothUUID(0x180A), [text(0x2A26, memory.version), text(0x2A27, "\(description.board)")]),
            AttributeTable.Service(
                Self.sessions,
                [AttributeTable.Entry(Self.request, .write), AttributeTable.Entry(Self.answer, .notify)]),
            AttributeTable.Service(
                Self.service,
                [
                    AttributeTable.Entry(Self.header, .write),
                    AttributeTable.Entry(Self.data, .writeCommand, maximumLength: 182),
                    AttributeTable.Entry(Self.command, .write),
                    AttributeTable.Entry(Self.state, .notify),
                ]),
        ])
    }
}
