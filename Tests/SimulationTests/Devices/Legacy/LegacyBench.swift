import Bytes

@testable import Simulation

/// A Legacy bootloader on a bench: requests and answers as hexadecimal text, time that waits for answers.
struct LegacyBench {
    static let image = GoldenUpdate.pattern(4100)

    var bootloader: LegacyBootloader
    var now = Duration.zero
    var hasReset = false
    var hasHungUp = false

    init(
        _ personality: LegacyPersonality = .sdk11, timing: FlashTiming = .instant,
        key: P256PublicKey? = nil, layout: FlashLayout = FlashLayout(),
        _ equip: (inout LegacyDevice) -> Void = { _ in }
    ) {
        var settings = BootloaderSettings()
        settings.softDevice = 0xB6
        settings.applicationSize = 1024
        var device = LegacyDevice(personality)
        equip(&device)
        bootloader = LegacyBootloader(
            device, BootloaderIdentity(key: key, layout: layout), settings: settings, timing: timing)
        bootloader.flash.place([UInt8](repeating: 0xA5, count: 1024), at: FlashLayout().applicationStart)
    }

    /// The notifications due to `reactions`; time passes until the last of them.
    private mutating func hear(_ reactions: [FirmwareReaction]) -> String? {
        var heard: String?
        for reaction in reactions {
            switch reaction {
            case .notify(let value, let due):
                heard = HexText.encode(value)
                now = max(now, due)
            case .disconnect: hasHungUp = true
            case .reset(let due):
                hasReset = true
                now = max(now, due)
            }
        }
        return heard
    }

    @discardableResult
    mutating func ask(_ request: String) -> String? { hear(bootloader.controlPoint(hex(request), at: now)) }

    @discardableResult
    mutating func send(_ bytes: some Sequence<UInt8>) -> String? {
        hear(bootloader.packet(Array(bytes), at: now))
    }

    /// A start with three sizes.
    mutating func start(_ mode: Int = 4, _ sizes: [Int]) -> String? {
        ask("010" + String(mode))
        return send(hex(sizes.map(word).joined()))
    }

    /// Sends an init packet; returns the answer to its end.
    mutating func install(_ packet: [UInt8], payload: Int = 20) -> String? {
        ask("0200")
        var rest = packet[...]
        while !rest.isEmpty {
            if let refusal = send(rest.prefix(payload)) { return refusal }
            rest = rest.dropFirst(payload)
        }
        return ask("0201")
    }

    /// Sends an image; returns all notifications meanwhile, in order. `pause` passes before each packet.
    mutating func stream(
        _ image: some Collection<UInt8>, payload: Int = 20, each pause: Duration = .zero
    ) -> [String] {
        var rest = Array(image)[...]
        var heard: [String] = []
        while !rest.isEmpty {
            now += pause
            if let word = send(rest.prefix(payload)) { heard.append(word) }
            rest = rest.dropFirst(payload)
        }
        return heard
    }

    /// Start, init packet and `03`: ready for the image.
    mutating func prepare(_ image: [UInt8] = image, _ packet: [UInt8]? = nil) -> Bool {
        let isStarted = start(4, [0, 0, image.count]) == "100101"
        let isInstalled = install(packet ?? LegacyInit(image).packet) == "100201"
        ask("03")
        return isStarted && isInstalled
    }

    /// Passes the time until the reset.
    mutating func reset(entering: Bool = false) -> Restart {
        hasReset = false
        hasHungUp = false
        return bootloader.reset(at: now, entering: entering)
    }
}

/// An init packet composed field by field (docs/formats/nordic-legacy.md, Layout).
struct LegacyInit {
    var type = 0x0052
    var revision = 0xADAF
    var version = 0xFFFF_FFFF
    var softDevices = [0xB6]
    var tail: [UInt8]

    /// With the CRC16 of `image`.
    init(_ image: [UInt8], _ change: (inout Self) -> Void = { _ in }) {
        tail = Self.bytes(Int(CRC16.checksum(image, from: 0xFFFF)), 2)
        change(&self)
    }

    static func bytes(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(value >> (8 * $0) & 0xFF) }
    }

    var head: [UInt8] {
        Self.bytes(type, 2) + Self.bytes(revision, 2) + Self.bytes(version, 4)
            + Self.bytes(softDevices.count, 2) + softDevices.flatMap { Self.bytes($0, 2) }
    }

    var packet: [UInt8] { head + tail }

    /// The extension with a length and a hash.
    static func digest(_ image: [UInt8], identifier: Int) -> [UInt8] {
        bytes(identifier, 4) + bytes(image.count, 4) + SHA256Digest.digest(image)
    }
}
