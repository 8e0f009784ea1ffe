import Bluetooth
import Nordic
public import Simulation
import TestSupport

/// One beacon, one link and one image, for any number of senders.
public struct TransferBench: Sendable {
    /// The bootloader.
    public var personality = SecurePersonality.sdk17_1
    /// Its flash.
    public var timing = FlashTiming.stock
    /// The air.
    public var link = LinkModel()
    /// The largest MTU that the link allows, for bootloaders that would accept more.
    public var maximumMTU = 247
    /// Bytes of firmware.
    public var size = 100_000

    /// A stock bootloader at 15 ms.
    public init() {}

    var image: [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: $0 % 251) } }

    var firmware: SecureImage {
        let image = image
        return SecureImage(
            initPacket: InitRecipe(image) {
                $0.softDevices = [0x98]
                // Bootloaders without a key accept any; those of SDK 12 to 14 require one.
                $0.signature = (0, [UInt8](repeating: 1, count: 64))
            }.packet, bytes: image, isSigned: true, firmwareVersion: 1, hardwareVersion: 52,
            softDevices: [0x98])
    }

    var bootloader: SecurePersonality {
        var personality = personality
        personality.maximumMTU = personality.maximumMTU > 23 ? maximumMTU : 23
        return personality
    }

    func description() throws -> NordicDescription {
        guard let address = DeviceAddress("F0:0D:BE:AC:00:00") else { throw BenchError.address }
        var description = NordicDescription(address: address)
        description.personality = bootloader
        description.timing = timing
        description.softDevice = 0x98
        description.layout = FlashLayout(size: 1 << 21)
        return description
    }

    /// The time of a perfect sender.
    public var ceiling: TransferCeiling {
        let payload = (bootloader.maximumMTU - 3) / 4 * 4
        return TransferCeiling(
            of: .init(image: size, initPacket: firmware.initPacket.count, payload: payload), over: link,
            to: bootloader, timing: timing)
    }
}

/// The outcome of one transfer.
public struct TransferResult: Equatable, Sendable {
    /// From the first request to the last answer; nil if the image did not arrive.
    public var seconds: Double?
    /// Bytes of firmware.
    public let size: Int
    /// Packets beyond the bootloader's capacity.
    public let lost: Int
    /// The number of repetitions.
    public let repeated: Int
    /// The limiting factor of our own sender.
    public var limit: String?
    /// Why the image did not arrive.
    public var failure: String?

    /// Firmware bytes by time; 0 if the image did not arrive.
    public var bytesPerSecond: Double { seconds.map { Double(size) / $0 } ?? 0 }
}

enum BenchError: Error { case address }
