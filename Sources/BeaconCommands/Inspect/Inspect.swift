import ArgumentParser

struct Inspect: RunningCommand {
    static let configuration = CommandConfiguration(
        abstract: "Recognise a firmware file by its content and print everything in it.",
        discussion: "Example: `beacon-dfu inspect firmware.zip`.")

    @Argument(help: "The file.", completion: .file()) var file: String
    @OptionGroup var common: CommonOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        let file = try FirmwareFile(path: file)
        let inspection = InspectedFile(try file.recognised(), of: file, for: console)
        console.style.isJSON ? console.event(inspection.line) : console.results(inspection.lines)
        return inspection.status
    }
}
