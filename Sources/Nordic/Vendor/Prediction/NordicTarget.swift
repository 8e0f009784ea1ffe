import Bytes
import UpdateModel

/// What is known of a device whose answer to a package is predicted; nil for unknown facts.
struct NordicTarget {
    enum SoftDevice: Hashable, Sendable {
        case none
        case installed(UInt32)

        init?(text: String) {
            if text.lowercased() == "none" {
                self = .none
            } else if let id = TargetDevice.number(in: text), id <= 0xFFFF {
                self = id == 0 ? .none : .installed(id)
            } else if let id = SoftDeviceNames.id(of: text) {
                self = .installed(id)
            } else {
                return nil
            }
        }
    }

    var hardware: UInt32?
    var application: UInt32?
    /// The answer if ``application`` is nil.
    var applicationAnswer: Answer
    var bootloader: UInt32?
    var softDevice: SoftDevice?
    var generation: BootloaderGeneration
    /// The free space in flash, in bytes.
    var space: Int?
    var acceptsUnsigned: Bool

    init(_ device: TargetDevice = TargetDevice()) {
        hardware = device.number("hardware")
        application = device.versionNumber
        applicationAnswer = device.versionAnswer
        bootloader = device.number("bootloader")
        softDevice = device["softdevice"].flatMap(SoftDevice.init)
        generation = device["sdk"].flatMap(BootloaderGeneration.init) ?? .sdk17
        space = device.number("room").map { Int($0) }
        acceptsUnsigned = device["signed"] == "no"
    }

    static let keys = [
        DeviceKey.number("hardware"),
        DeviceKey("softdevice", allowed: ["none", "an id such as 0xB7", "a name such as s132_6.1.1"]) {
            SoftDevice(text: $0) != nil
        },
        .number("bootloader"),
        DeviceKey("sdk", allowed: BootloaderGeneration.names) { BootloaderGeneration(text: $0) != nil },
        .word("signed", of: ["yes", "no"]), .number("room"),
    ]
}

/// Predicts the response of SDK 11's template to an init packet (nordic-legacy.md, Checks).
extension NordicTarget {
    func answers(to package: LegacyPackage) -> [Answer] { package.parts.flatMap(answers) }

    @ListBuilder<Answer> private func answers(to part: LegacyPart) -> [Answer] {
        if !part.image.count.isMultiple(of: 4) {
            Answer.refuse(
                id: .nordicFinding.imageNotAligned, code: "3",
                "the image has \(part.image.count) bytes, not a multiple of 4")
        }
        if let packet = part.initPacket {
            if packet.isChecksumAlone {
                Answer.needs("whether the bootloader is from before SDK 7")
            } else {
                softDeviceAnswer(packet)
                Answer.needs("the device's type and revision")
            }
        }
    }

    private func softDeviceAnswer(_ packet: LegacyInitPacket) -> Answer {
        let list = packet.softDeviceRequirements.map { UInt32($0) }
        if list.contains(UInt32(LegacyInitPacket.anySoftDevice)) { return .pass }
        guard case .installed(let id)? = softDevice else { return .needs("softdevice") }
        if list.contains(id) { return .pass }
        return .refuse(
            id: .nordicRefusal.softdeviceMismatch, code: "6",
            "the package does not list the target's SoftDevice")
    }
}

/// Generations of Nordic's Secure bootloader with different checks (init-packet.md, Checks).
enum BootloaderGeneration: Comparable, Sendable {
    case sdk12
    case sdk14
    case sdk15
    case sdk15Minor3
    case sdk16
    case sdk17

    /// The generation for an SDK number such as `15.3` or `17.1.0`; SDK 13 checks like 14.
    init?(text: String) {
        let parts = text.split(separator: ".").map { Int($0) }
        guard let major = parts.first ?? nil, !parts.contains(nil) else { return nil }
        let minor = parts.count > 1 ? parts[1] ?? 0 : 0
        switch major {
        case 12: self = .sdk12
        case 13, 14: self = .sdk14
        case 15: self = minor < 3 ? .sdk15 : .sdk15Minor3
        case 16: self = .sdk16
        case 17: self = .sdk17
        default: return nil
        }
    }

    static let names = ["12.3", "13.1", "14.2", "15.0", "15.3", "16.0", "17.1"]

    /// The longest init packet, in bytes.
    var packetLimit: Int { self < .sdk15Minor3 ? 256 : 512 }
    /// The longest init command, in bytes, whose signature can be checked: older bootloaders handle one length byte.
    var signedLimit: Int { self < .sdk15Minor3 ? 127 : .max }
    var softDeviceLimit: Int { self == .sdk12 ? 4 : 16 }
    var checksVersionsFirst: Bool { self < .sdk15 }

    /// The response with the extended error `code`; SDK 12 sends 0A instead.
    func extended(_ code: UInt8) -> String {
        self == .sdk12 ? "0A" : "0B \(HexText.digits(code, uppercase: true))"
    }
}
