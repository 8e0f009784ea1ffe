import Bytes
import CommandKit
import Nordic

/// Compares the information in a SoftDevice's image with the options. Bootloaders would notice a difference after the
/// last byte, or not at all.
enum SoftDeviceCheck {
    /// nrfutil's id if none is needed or given: to bootloaders that know it, any SoftDevice.
    static let any: UInt32 = 0xFFFE

    /// A file's name without folders.
    static func fileName(_ path: String) -> String {
        guard path != "-" else { return "stdin" }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        // It becomes the name of an archive entry, which has to be UTF-8.
        let scalars = name.unicodeScalars.map { PathText.byte(of: $0) == nil ? $0 : "_" }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Refuses a merged file that begins with a SoftDevice; as an application it would be written after the installed
    /// one.
    static func withoutSoftDevice(
        _ input: FirmwareInput?, _ option: String
    ) throws(CommandFailure) -> FirmwareInput? {
        if let input { try refuseSoftDevice(in: input.bytes, input.name, option) }
        return input
    }

    /// Refuses `image`, from the file `name`, if it begins with a SoftDevice.
    static func refuseSoftDevice(
        in image: [UInt8], _ name: String, _ option: String
    ) throws(CommandFailure) {
        guard SoftDeviceInformation(in: image) != nil else { return }
        let part = option.dropFirst(2)
        throw refusal(
            "\(name) begins with a SoftDevice: give \(option) the file that has the \(part) alone, before merging",
            nextStep: "give the file from the \(part)'s build; give a SoftDevice with --softdevice")
    }

    /// Refuses an application's list that does not contain the new SoftDevice from the file `name`.
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
            .nordicFile.buildRefused, during: "reading the firmware", message: message, nextStep: nextStep)
    }
}
