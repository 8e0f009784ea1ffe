import Bytes

@testable import Simulation

/// A bootloader on a bench: requests and answers as hexadecimal text, time that waits for answers.
struct BootloaderBench {
    var bootloader: SecureBootloader
    var now = Duration.zero
    var hasReset = false

    init(
        _ personality: SecurePersonality = .sdk17_1, timing: FlashTiming = .instant,
        key: P256PublicKey? = nil, _ change: (inout BootloaderSettings) -> Void = { _ in }
    ) {
        var settings = BootloaderSettings()
        settings.softDevice = 0x100
        change(&settings)
        bootloader = SecureBootloader(
            personality, BootloaderIdentity(key: key), settings: settings, timing: timing)
    }

    /// A stock bootloader on instant flash, with settings from the test.
    init(_ change: (inout BootloaderSettings) -> Void) { self.init(.sdk17_1, change) }

    /// The answer to a request; time passes until it is there.
    mutating func ask(_ request: String) -> String? {
        var answer: String?
        for reaction in bootloader.controlPoint(hex(request), at: now) {
            switch reaction {
            case .notify(let value, let due):
                answer = HexText.encode(value)
                now = due
            case .disconnect: break
            case .reset: hasReset = true
            }
        }
        return answer
    }

    /// Sends one packet; returns the notification due to it.
    @discardableResult
    mutating func send(_ bytes: some Sequence<UInt8>) -> String? {
        guard case .notify(let value, _)? = bootloader.packet(Array(bytes), at: now).first else { return nil }
        return HexText.encode(value)
    }

    /// Sends `bytes` in packets, by default the longest; time passes before each.
    mutating func stream(_ bytes: ArraySlice<UInt8>, payload: Int? = nil, each pause: Duration = .zero) {
        let payload = payload ?? bootloader.personality.maximumMTU - 3
        var rest = bytes
        while !rest.isEmpty {
            now += pause
            send(rest.prefix(payload))
            rest = rest.dropFirst(payload)
        }
    }

    /// Sends an init packet; returns the answer to its Execute.
    mutating func install(_ packet: [UInt8]) -> String? {
        guard ask("0101" + word(packet.count)) == "600101" else { return nil }
        stream(packet[...])
        return ask("04")
    }

    /// Sends one data object up to Execute, without it.
    mutating func bring(_ image: [UInt8], object: Int) -> String? {
        let part = image[min(object * 4096, image.count)..<min((object + 1) * 4096, image.count)]
        let answer = ask("0102" + word(part.count))
        stream(part)
        return answer
    }

    /// Offset and crc of the first `count` bytes of the image, in the format of the answer to Select(2).
    static func point(_ image: [UInt8], _ count: Int) -> String {
        "600601" + word(4096) + word(count) + word(Int(CRC32.checksum(image[..<count])))
    }

    /// Sends a whole image with every wait a bootloader could need; returns the answer to its last Execute.
    mutating func update(_ image: [UInt8]) -> String? {
        for object in 0..<(image.count + 4095) / 4096 {
            let part = image[object * 4096..<min((object + 1) * 4096, image.count)]
            guard ask("0102" + word(part.count)) == "600101" else { return nil }
            now += .seconds(1)
            stream(part, each: .milliseconds(20))
            now += .seconds(1)
            guard part.endIndex < image.count else { break }
            guard ask("04") == "600401" else { return nil }
        }
        return ask("04")
    }

    mutating func disconnect() {
        bootloader.disconnect(at: now)
        bootloader.connect(at: now)
    }
}
