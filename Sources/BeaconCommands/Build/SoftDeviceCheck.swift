import ByteCoding
import NordicDFU

/// Compares what a SoftDevice's image says about itself with the options. Devices would notice a difference after the
/// last byte, or not at all.
enum SoftDeviceCheck {
    /// nrfutil's id where none is needed or given: any SoftDevice, to bootloaders that know it.
    static let any: UInt32 = 0xFFFE

    /// A file's name without folders.
    static func fileName(_ path: String) -> String {
        guard path != "-" else { return "stdin" }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        // It becomes an entry's name, which is UTF-8.
        let scalars = name.unicodeScalars.map { PathText.byte(of: $0) == nil ? $0 : "_" }
        return String(String.UnicodeScalarView(scalars))
    }

    /// A merged file has the SoftDevice in front; as an application it would be written after the one that is there.
    static func withoutSoftDevice(
        _ input: FirmwareInput?, _ option: String
    ) throws(CommandFailure) -> FirmwareInput? {
        if let input { try refuseSoftDevice(in: input.bytes, input.name, option) }
        return input
    }

    /// Refuses `image`, from the file `name`, where it begins with a SoftDevice.
    static func refuseSoftDevice(
        in image: [UInt8], _ name: String, _ option: String
    ) throws(CommandFailure) {
        guard SoftDeviceInformation(in: image) != nil else { return }
        let part = option.dropFirst(2)
        throw refusal(
            "\(name) begins with a SoftDevice: give the file with \(part) alone to \(option), before it was merged",
            nextStep: "give the file that the \(part)'s build made; a SoftDevice goes to --softdevice")
    }

    /// Refuses a list for the application that the new SoftDevice, from the file `name`, is not on.
    static func demand(
        _ id: UInt32, of name: String, in list: [UInt32], _ option: String
    ) throws(CommandFailure) {
        guard !list.contains(id) else { return }
        let number = HexText.number(id, uppercase: true)
        throw refusal(
            "\(name) has the id \(SoftDeviceNames.text(of: id)), which \(option) does not list",
            nextStep:
                "add \(number) to \(option): the application has to accept the SoftDevice that it comes with")
    }

    static func refusal(_ message: String, nextStep: String? = nil) -> CommandFailure {
        CommandFailure(
            "build-refused", during: "reading the firmware", message: message, nextStep: nextStep)
    }
}
