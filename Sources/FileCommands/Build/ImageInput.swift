import ArgumentParser
import Bytes
import CommandKit
import Feasycom
import Firmware
import Nordic
import UpdateModel

/// A firmware file to be packed.
struct ImageInput {
    let path: String
    private let image: FirmwareImage

    init(path: String) throws(CommandFailure) {
        self.path = path
        let file = try FileContent(path: path)
        image = try Self.naming(path) { () throws(FirmwareImageError) in
            try FirmwareImage(recognising: file.bytes)
        }
    }

    /// All bytes of the file, or only those that belong in a Nordic package. Warns of large gaps, which become FF.
    func bytes(forNordic isConfined: Bool = false, _ console: Console) throws(CommandFailure) -> [UInt8] {
        let bytes = try Self.naming(path) { () throws(FirmwareImageError) in
            try isConfined ? image.confinedImage() : image.flatImage()
        }
        for gap in image.gaps(ofConfined: isConfined) {
            let regions = [gap.before, gap.after].map {
                "\($0.bytes.count) bytes at \(HexText.number($0.address))"
            }
            let settings =
                gap.isBeforeSettings
                ? "; at \(HexText.number(gap.after.address)) bootloaders have their settings, which do not belong "
                    + "in an image: pack the file without the merged settings" : ""
            console.warn(
                .command.imageGap,
                "\(path) has \(regions[0]) and \(regions[1]), and the \(gap.bytes) bytes between become FF in the image"
                    + settings)
        }
        return bytes
    }

    private static func naming<T>(
        _ path: String, _ body: () throws(FirmwareImageError) -> T
    ) throws(CommandFailure) -> T {
        do throws(FirmwareImageError) { return try body() } catch {
            throw CommandFailure(error.code, during: "reading the firmware", message: "\(path): \(error)")
        }
    }
}

extension WritingCommand {
    /// Checks a built package, writes it and prints its content. Throws before writing if `inspect` would refuse it.
    func write(
        _ bytes: [UInt8], to path: String, as kind: OutputKind, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        let made = FileContent(path: path, bytes: bytes)
        let inspection = InspectedFile(try made.recognised(), of: made, for: console)
        guard inspection.status == .done else {
            inspection.lines.forEach(console.notice)
            throw CommandFailure(
                .file.buildRefused, during: "checking the package",
                message: "a package with these options would be refused; nothing was written")
        }
        try OutputFile.write(bytes, to: path, as: kind, under: outputs)
        if console.style.isJSON {
            console.event(JSONLine("built", inspection.line.members))
        } else {
            console.results(inspection.lines)
        }
        return .done
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
