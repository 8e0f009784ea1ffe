/// A SUOTA receiver written from dialog-suota.md alone: two banks, a running image, and the status of each write.
///
/// Power loss, and for DA1468x any end of a link after a start, restart the device.
struct ModelReceiver {
    let isDA1458x: Bool
    /// Permitted bytes of a block.
    let room: Int
    /// The verified images.
    private(set) var marked: [[UInt8]] = []
    /// The image that the device has installed and started.
    private(set) var running: [UInt8]?
    private(set) var status: UInt8 = 0
    /// Client errors that would damage a real device, or hang it.
    private(set) var clientErrors: [String] = []
    private var isStarted = false
    private var isOver = false
    private var length: Int?
    private var block: [UInt8] = []
    private var received: [UInt8] = []
    private var shown = 0

    init(isDA1458x: Bool, room: Int = 512) {
        self.isDA1458x = isDA1458x
        self.room = room
    }

    /// The value of MEM_INFO.
    var count: UInt32 { UInt32(shown) }

    /// Starts the last image that was marked.
    mutating func restart() {
        let kept = (marked, marked.last ?? running, clientErrors)
        self = ModelReceiver(isDA1458x: isDA1458x, room: room)
        (marked, running, clientErrors) = kept
    }

    mutating func linkEnded() {
        if !isDA1458x, isStarted || isOver { restart() }
    }

    /// Handles a write to the memory device; returns the notification, nil for none.
    mutating func command(_ word: [UInt8]) -> UInt8? {
        guard word.count == 4 else { return nil }
        if isDA1458x { shown = 0 }
        switch word[3] {
        case 0x12 where isDA1458x, 0x13:
            guard word[0] < 3 || !isDA1458x else { return say(0x11) }
            (isStarted, isOver, length, block, received, shown) = (true, false, nil, [], [], 0)
            return say(0x10)
        case 0xFE: return say(end())
        case 0xFF:
            isStarted = false
            return say(0x03)
        case 0xFD:
            restart()
            return nil
        default: return isDA1458x ? say(0x08) : nil
        }
    }

    private mutating func end() -> UInt8 {
        if isOver { clientErrors.append("a second end") }
        guard isStarted, !received.isEmpty else {
            clientErrors.append("an end without data")
            return 0x02
        }
        isStarted = false
        isOver = true
        guard block.isEmpty else { clientErrors.append("an end within a block"); return 0x04 }
        if isDA1458x {
            guard received.reduce(0, ^) == 0 else { return 0x04 }
            marked.append(received.dropLast())
        } else {
            guard received.count >= imageSize else { return 0x04 }
            marked.append(Array(received.prefix(imageSize)))
        }
        return 0x02
    }

    /// The size of header and payload, from the part of the header received; on 68x the payload follows the exec
    /// location.
    private var imageSize: Int {
        func number(_ offset: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(received[offset + $1]) << (8 * $1) }
        }
        guard received.count >= 36 else { return .max }
        return isDA1458x ? 64 + number(4) : number(32) + number(4)
    }

    mutating func announce(_ bytes: [UInt8]) -> UInt8? {
        guard bytes.count == 2 else { return nil }
        let length = Int(bytes[0]) | Int(bytes[1]) << 8
        guard length > 0 else {
            clientErrors.append("a length of 0")
            return say(0x05)
        }
        guard isStarted else { return nil }
        guard length <= room else { return say(0x07) }
        self.length = length
        return nil
    }

    /// Handles a chunk.
    mutating func receive(_ chunk: some Collection<UInt8>) -> UInt8? {
        guard isStarted else { return isDA1458x ? say(0x08) : nil }
        guard let length else { return say(0x05) }
        guard block.count + chunk.count <= room else { return say(0x07) }
        block += chunk
        if !isDA1458x { shown += chunk.count }
        guard block.count >= length else { return nil }
        guard block.count == length else { return say(0x05) }
        if isDA1458x, received.isEmpty, block.count < 64 { return say(0x12) }
        received += block
        block = []
        if isDA1458x {
            guard received.count <= imageSize + 1 else { return say(0x06) }
            shown = min(received.count, imageSize)
        }
        return say(0x02)
    }

    /// Handles a packet of the channel.
    mutating func receiveOverChannel(_ packet: some Collection<UInt8>) {
        guard isStarted else { return }
        received += packet
        shown += packet.count
    }

    private mutating func say(_ status: UInt8) -> UInt8 {
        self.status = status
        return status
    }
}
