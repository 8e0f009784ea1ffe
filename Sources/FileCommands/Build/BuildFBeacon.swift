import ArgumentParser
import Bytes
import CommandKit
import Feasycom
import Nordic
import UpdateModel

struct BuildFBeacon: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "fbeacon",
        abstract: "Make an open container from a program: Feasycom's fields, unencrypted.",
        discussion: """
            Example: `beacon-dfu build fbeacon application.bin application.fbu --model BP108 --version-end 840`.

            The vendor's own beacons do not accept it: the vendor's files are encrypted, and only its tools make them. \
            The container is for simulated beacons, and for makers that adopt it.

            It is not signed. Its checksums protect against damage, not against forgery.
            """)

    @Argument(help: "The program: .hex or .bin, recognised by its content.", completion: .file())
    var firmware: String
    @Argument(help: "The container to write, such as OUT.fbu.", completion: .file()) var output: String
    @Option(
        "The model: a name from the vendor's tables such as BP102, which sets number and name, or a number.",
        valueName: "model")
    var model: ModelChoice?
    @Option(
        "The model's name, for models that are not in the tables: 1 to 32 characters of ASCII. Without --model "
            + "its number is 0.",
        valueName: "name")
    var modelType: String?
    @Option("The version of the firmware.", valueName: "number") var versionEnd: WholeNumber<UInt16>
    @Option("The lowest installed version that may be updated.", valueName: "number")
    var versionStart = WholeNumber<UInt16>(0)
    @Option("The lowest bootloader version required; 0 for any.", valueName: "number")
    var bootloader = WholeNumber<UInt16>(0)
    @Flag(help: "Ask to restore the default settings after the update.") var restoreDefaults = false
    @Option("The version for people: 1 to 32 bytes of UTF-8.", valueName: "text") var versionText: String?
    @Option("A note for people: 1 to 255 bytes of UTF-8.", valueName: "text") var note: String?
    @Option(
        "When it was built: ISO 8601 in UTC, or seconds since 1970. Left out by default.", valueName: "time")
    var builtAt: TimeArgument?
    @Flag(inversion: .prefixedNo, help: "Write the SHA-256 of the payload.") var payloadSHA256 = true
    @OptionGroup var writing: WritingOptions

    var inputs: [String?] { [firmware] }

    func validate() throws {
        try require(model != nil || modelType != nil, "give the model: --model, or --model-type")
        if let name = model?.name, let modelType, name != modelType {
            throw ValidationError("--model \(name) and --model-type \(modelType) are different models")
        }
        try require(
            versionStart.value <= versionEnd.value,
            "--version-start \(versionStart.value) is above --version-end \(versionEnd.value)")
        _ = try texts()
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        let input = try ImageInput(path: firmware)
        let payload = try input.bytes(console)
        let container = OpenContainer(
            bootloader: bootloader.value, versions: versionStart.value...versionEnd.value,
            modelNumber: model?.number.rawValue ?? 0, restoresDefaults: restoreDefaults,
            records: try texts() + numbers(payload), payload: payload)
        let file: FBeaconFile
        do throws(OpenContainerError) { file = try container.file() } catch {
            throw CommandFailure(
                .file.buildRefused, during: "making the container", message: "\(firmware): \(error)")
        }
        return try write(
            file.bytes, to: output, as: .format("Feasycom file", beginnings: [[0xDD, 0x07], [0x46, 0x42]]),
            console)
    }

    /// The text records, in the order of their types.
    private func texts() throws(ValidationError) -> [ExtensionRecord] {
        let given: [(ExtensionRecord.Kind, String?, String)] = [
            (.modelType, modelType ?? model?.name, "--model-type is 1 to 32 characters of printable ASCII"),
            (.versionText, versionText, "--version-text is 1 to 32 bytes of UTF-8"),
            (.note, note, "--note is 1 to 255 bytes of UTF-8"),
        ]
        var records: [ExtensionRecord] = []
        for (kind, text, rule) in given {
            guard let text else { continue }
            let bytes = Array(text.utf8)
            guard let record = ExtensionRecord(kind, bytes) else {
                throw ValidationError("\(rule); it has \(bytes.count) bytes")
            }
            records.append(record)
        }
        return records
    }

    private func numbers(_ payload: [UInt8]) -> [ExtensionRecord] {
        [
            ExtensionRecord(.builtAt, builtAt?.seconds.bytes() ?? []),
            payloadSHA256 ? ExtensionRecord(.payloadSHA256, SHA256Digest.digest(payload)) : nil,
        ].compactMap(\.self)
    }
}

/// A Feasycom model on the command line: a name from the vendor's two tables, or a number.
enum ModelChoice: ExplainedArgument, Hashable, Sendable {
    /// A name and its number. Two models can have the same number, so the container gets the name too.
    case name(String, ModelNumber)
    case number(ModelNumber)

    init?(argument: String) {
        if let number = WholeNumber<UInt16>(argument: argument) {
            self = .number(ModelNumber(rawValue: number.value))
        } else if let number = ModelNumber.named(argument) {
            self = .name(argument, number)
        } else {
            return nil
        }
    }

    var number: ModelNumber {
        switch self {
        case .name(_, let number), .number(let number): number
        }
    }

    var name: String? { if case .name(let name, _) = self { name } else { nil } }

    static func flaw(in text: String) -> String {
        "'\(text)' is neither a model in Feasycom's tables nor a number from 0 to 65535"
            + Spelling.hint(
                for: text, in: ModelNumber.allNames,
                otherwise:
                    "; names look like BP102, and --model-type names a model that is not in the tables")
    }
}
