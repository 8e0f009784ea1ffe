import UpdateModel

/// Device properties that Nordic's bootloaders check, as far as known.
struct NordicTarget {
    /// The installed SoftDevice.
    enum SoftDevice: Hashable, Sendable {
        case none
        case installed(UInt32)

        /// `none`, an id, or a name such as `s132_7.2.0`.
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
    /// The answer to give if ``application`` is nil.
    var applicationAnswer: Answer
    var bootloader: UInt32?
    var softDevice: SoftDevice?
    /// The nRF5 SDK of the bootloader.
    var generation: BootloaderGeneration
    /// Bytes of flash available for an image.
    var room: Int?
    /// Whether the bootloader accepts unsigned applications.
    var takesUnsigned: Bool

    init(_ device: TargetDevice = TargetDevice()) {
        hardware = device.number("hardware")
        application = device.versionNumber
        applicationAnswer = device.versionAnswer
        bootloader = device.number("bootloader")
        softDevice = device["softdevice"].flatMap(SoftDevice.init)
        generation = device["sdk"].flatMap(BootloaderGeneration.init) ?? .sdk17
        room = device.number("room").map { Int($0) }
        takesUnsigned = device["signed"] == "no"
    }

    /// The keys that describe a target device.
    static let keys = [
        DeviceKey.number("hardware"),
        DeviceKey("softdevice", allowed: ["none", "an id such as 0xB7", "a name such as s132_6.1.1"]) {
            SoftDevice(text: $0) != nil
        },
        .number("bootloader"),
        DeviceKey("sdk", allowed: BootloaderGeneration.names) { BootloaderGeneration(text: $0) != nil },
        .word("signed", of: ["yes", "no"]),
        .number("room"),
    ]
}
