import ArgumentParser
import Bytes
import CommandKit
import Nordic
import UpdateModel

/// Checks SoftDevices against the options. Bootloaders detect a contradiction only after the last byte, or never.
enum SoftDeviceCheck {
    /// The id that nrfutil writes if no SoftDevice is required: bootloaders that know it accept any SoftDevice.
    static let any: UInt32 = 0xFFFE

    /// Throws if `image`, from the file `name` of `option`, begins with a SoftDevice, as merged files do: beacons would
    /// write it behind the SoftDevice that they have.
    static func refuseSoftDevice(in image: [UInt8], _ name: String, _ option: String) throws(CommandFailure) {
        guard SoftDeviceInformation(in: image) != nil else { return }
        let part = option.dropFirst(2)
        throw refusal(
            "\(name) begins with a SoftDevice: give \(option) the file that has the \(part) alone, before merging",
            nextStep: "give the file from the \(part)'s build; give a SoftDevice with --softdevice")
    }

    /// Throws if `list`, the ids of SoftDevices in `option`, lacks `id`, that of the SoftDevice in the file `name`.
    static func requireListed(
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
            .file.buildRefused, during: "reading the firmware", message: message, nextStep: nextStep)
    }
}

/// SoftDevices in the given order: `0xB6,s140_7.2.0`.
struct SoftDeviceList: ExplainedArgument {
    let ids: [UInt32]

    init?(argument: String) {
        var ids: [UInt32] = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let word = word.filter { $0 != " " }
            guard let id = WholeNumber<UInt32>(argument: word)?.value ?? SoftDeviceNames.id(of: word),
                id <= 0xFFFF
            else { return nil }
            ids.append(id)
        }
        self.ids = ids
    }

    static func flaw(in text: String) -> String {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let unknown = words.first { SoftDeviceList(argument: $0) == nil } ?? text
        let names = SoftDeviceNames.all
        let family = names.filter { $0.hasPrefix(unknown.lowercased() + "_") }
        let hint = Spelling.hint(for: unknown, in: names)
        let advice =
            !family.isEmpty
            ? "; give one of \(family.joined(separator: ", "))"
            : !hint.isEmpty ? hint : "; `beacon-dfu inspect` shows the id of a SoftDevice's file"
        return "'\(unknown)' is neither an id of a SoftDevice such as 0xB6 nor a name such as s140_6.1.1"
            + advice
    }
}
