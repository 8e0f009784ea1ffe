import ArgumentParser
import Vendors

struct Inspect: RunningCommand {
    static let configuration = CommandConfiguration(
        abstract: "Recognise a firmware file by its content and print everything in it.")

    @Argument(help: "The file.", completion: .file()) var file: String
    @OptionGroup var common: CommonOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        let file = try FirmwareFile(path: file)
        switch try file.recognised() {
        case .nordicSecure(let package):
            let inspection = NordicInspection(file: file, package: package)
            console.style.isJSON
                ? console.event(inspection.line) : inspection.lines(console).forEach(console.result)
            return inspection.isSound ? .done : .badFile
        case .unsupported(let foreign):
            console.event(file.line(kind: foreign.kind.rawValue, ["hint": .text(foreign.hint)]))
            if !console.style.isJSON {
                console.result("\(file.path): \(foreign.kind.rawValue)")
                console.result("hint: \(foreign.hint)")
            }
            return .badFile
        }
    }
}
