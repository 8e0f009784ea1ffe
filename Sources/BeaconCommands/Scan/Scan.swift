import ArgumentParser
import Radio

struct Scan: RunningCommand {
    static let configuration = CommandConfiguration(abstract: "List the beacons that can be heard.")

    @OptionGroup var radio: AdapterOptions
    @Option(name: .customLong("for"), help: ArgumentHelp("How long to listen.", valueName: "seconds"))
    var seconds = 3.0
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard seconds > 0, seconds <= 3600 else {
            throw ValidationError("--for is a number of seconds, from above 0 to 3600")
        }
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        let seconds = seconds
        let heard = try await radio.withAdapter(log: try common.logger()) { adapter in
            try await adapter.listen(for: .seconds(seconds)) { _ in false }.all
        }
        for sighting in heard { console.event(JSONLine("beacon", sighting.members)) }
        console.event(
            JSONLine("scanned", ["beacons": .integer(heard.count), "seconds": .rounded(seconds)]))
        if !console.style.isJSON {
            if !heard.isEmpty { console.result(Sighting.heading) }
            for sighting in heard { console.result(sighting.line) }
            console.talk(
                "\(heard.count) \(heard.count == 1 ? "beacon" : "beacons") in \(Quantities.seconds(seconds))")
        }
        return .done
    }
}
