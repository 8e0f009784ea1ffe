package import Firmware

package protocol RadioCommand: RunningCommand {
    var radio: AdapterOptions { get }
    /// The file of passwords that the command line names, if any.
    var namedSecrets: String? { get }
    /// The beacon that the command line selects, if any.
    var selected: DeviceSelector? { get }
    /// The firmware file that the command line names, if any.
    var namedFile: String? { get }
}

extension RadioCommand {
    package var kernelAdapters: Int { radio.kernelAdapters }
    package var hasExclusiveAdapter: Bool { radio.isExclusive }
    package var namedSecrets: String? { nil }
    package var selected: DeviceSelector? { nil }
    package var namedFile: String? { nil }

    /// The options of this command line that a suggested command repeats.
    package var repeatedOptions: RepeatedOptions {
        RepeatedOptions(radio, secrets: namedSecrets).naming(selected, file: namedFile)
    }

    package func addingAdvice(to failure: CommandFailure) -> CommandFailure {
        failure.repeating(repeatedOptions).namingDefaultAdapter(unless: radio.adapter)
    }
}

/// What a suggested command needs to reach the same beacons: the user's options, and the beacon and firmware file of
/// this run, if known.
package struct RepeatedOptions: Sendable {
    package typealias Option = (name: String, value: String?)

    private var radio: [Option] = []
    private var secrets: [Option] = []
    private var device: DeviceSelector?
    private var file: String?

    /// The same options with the beacon that `device` selects, and with the firmware `file`.
    package func naming(_ device: DeviceSelector?, file: String? = nil) -> RepeatedOptions {
        var named = self
        (named.device, named.file) = (device, file)
        return named
    }

    /// `text` with the beacon for ADDRESS and the firmware for FILE in its commands in backquotes. A name with a backquote
    /// would end the command, so its placeholder stays.
    private func fillingPlaceholders(of text: String) -> String {
        func word(_ value: String) -> String? { value.contains("`") ? nil : ShellWord.quoted(value) }
        return text.replacing(/`[^`]*`/) { match in
            var command = String(match.0)
            if let device {
                if let selector = word("\(device)") {
                    command.replace("--device ADDRESS", with: "--device \(selector)")
                }
                // Other programs know addresses only.
                if let address = device.addresses.first, !command.hasPrefix("`beacon-dfu ") {
                    command.replace(" ADDRESS", with: " \(address)")
                }
            }
            if let path = file.flatMap(word) {
                command.replace(/(inspect|validate) FILE/) { "\($0.1) \(path)" }
            }
            return command
        }
    }

    /// `text` with its placeholders filled, and with these options in each command in backquotes that takes them and does
    /// not have them yet. A command that names an adapter gets no options.
    package func added(to text: String) -> String {
        fillingPlaceholders(of: text).replacing(
            /`beacon-dfu (scan|info|flash|blink|history-read|config (?:read|diff|write|reset|password))([^`]*)`/
        ) { match in
            let (name, rest) = (match.1, match.2)
            let words = rest.split(separator: " ")
            let all = words.contains("--adapter") ? [] : radio + (name == "scan" ? [] : secrets)
            let options = all.filter { !words.contains(Substring($0.name)) }
                .map { " \($0.name)" + ($0.value.map { " " + ShellWord.quoted($0) } ?? "") }.joined()
            // Files come before options.
            let isFirst = rest.isEmpty || rest.hasPrefix(" --")
            return "`beacon-dfu \(name)" + (isFirst ? options + rest : rest + options) + "`"
        }
    }

    package init() {}

    package init(_ radio: AdapterOptions, secrets: String?) {
        self.radio = radio.given
        self.secrets = secrets.map { [("--secrets", $0)] } ?? []
    }
}
