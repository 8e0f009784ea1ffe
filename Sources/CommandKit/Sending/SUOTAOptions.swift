package import ArgumentParser
import Bytes
package import Dialog
package import Tray
import UpdateModel

/// Options for sending a Dialog SUOTA image.
package struct SUOTAOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The pins of the memory, such as miso=P0_5,mosi=P0_6,cs=P0_3,sck=P0_0 or scl=P0_2,sda=P0_3,address=0x50.",
            valueName: "pins"))
    package var pins: String?
    @Option(
        help: ArgumentHelp("The vendor profile with pins, bank and block size, by name.", valueName: "name")
    )
    package var profile: String?
    @Option(
        help: ArgumentHelp(
            "The profiles file. Default: the first suota.yaml of the search path in docs/guide/configuration.md.",
            valueName: "file"), completion: .file())
    package var profiles: String?
    @Option(
        help: ArgumentHelp(
            "The bank to overwrite, 1 or 2; 0 leaves the choice to the beacon. Default: 0.",
            valueName: "number"))
    var bank: UInt8?
    @Option(help: ArgumentHelp("Bytes in a block. Default: what the beacon accepts.", valueName: "bytes"))
    var blockSize: Int?
    @Option(help: ArgumentHelp("Bytes in a packet. Default: what the beacon accepts.", valueName: "bytes"))
    var chunkSize: Int?
    @Option(
        help: ArgumentHelp(
            "gatt or l2cap. Default: l2cap if the beacon offers a channel.", valueName: "way"),
        transform: {
            guard let way = SUOTATransport(rawValue: $0) else {
                throw ValidationError("--transport is gatt or l2cap")
            }
            return way
        })
    var transport: SUOTATransport?
    @Flag(help: "Wait up to 60 s for a second status: the beacon checks a signature once it has the image.")
    var awaitSignature = false
    @Flag(help: "Report an event for each packet.") var reportChunks = false

    package func validate() throws {
        if let bank, ImageBank(rawValue: bank) == nil { throw ValidationError("--bank is 0, 1 or 2") }
        if let pins {
            do throws(PinMapError) { _ = try PinMap(pins) } catch { throw ValidationError("\(error)") }
        }
        guard transport != .l2cap || blockSize == nil && chunkSize == nil else {
            throw ValidationError(
                "--block-size and --chunk-size are for --transport gatt: a channel has no blocks")
        }
        for (name, size) in [("--block-size", blockSize), ("--chunk-size", chunkSize)] {
            if let size, !(1...0xFFFF).contains(size) {
                throw ValidationError("\(name) is a number of bytes from 1 to 65535")
            }
        }
    }

    /// These options, completed by those of a catalogue's family. A profile or transport of the user excludes
    /// what would contradict it.
    package func completed(by family: SUOTAOptions) -> SUOTAOptions {
        var all = self
        if profile == nil {
            all.profile = family.profile
            all.pins = pins ?? family.pins
            all.bank = bank ?? family.bank
        }
        if blockSize == nil, chunkSize == nil { all.transport = transport ?? family.transport }
        if all.transport != .l2cap, profile == nil {
            all.blockSize = blockSize ?? family.blockSize
            all.chunkSize = chunkSize ?? family.chunkSize
        }
        all.awaitSignature = awaitSignature || family.awaitSignature
        return all
    }

    /// These options, with the memory that a tray or a slot describes.
    package func reaching(_ memory: TrayMemory) -> SUOTAOptions {
        var all = self
        (all.pins, all.profile) = (memory.pins, memory.profile ?? (memory.pins == nil ? profile : nil))
        return all
    }

    /// The options that were given, as they are typed.
    package var given: [String] {
        let all: [(String, Bool)] = [
            ("--pins", pins != nil), ("--profile", profile != nil), ("--profiles", profiles != nil),
            ("--bank", bank != nil), ("--block-size", blockSize != nil), ("--chunk-size", chunkSize != nil),
            ("--transport", transport != nil), ("--await-signature", awaitSignature),
            ("--report-chunks", reportChunks),
        ]
        return all.filter(\.1).map(\.0)
    }

    /// The preferences for the procedure; options win over the profile.
    package func preferences() throws(CommandFailure) -> SUOTAPreferences {
        var preferences = SUOTAPreferences()
        if let profile {
            let found = try SUOTAProfile.named(profile, in: profiles)
            preferences.pins = found.pins
            preferences.bank = found.bank
            preferences.blockSize = found.blockSize
            preferences.awaitsSignature = found.checksSignature
            preferences.bankLimit = found.bankSize
        }
        if let pins, let map = try? PinMap(pins) { preferences.pins = map }
        if let bank = bank.flatMap(ImageBank.init) { preferences.bank = bank }
        preferences.blockSize = blockSize ?? preferences.blockSize
        preferences.chunkSize = chunkSize
        preferences.transport = transport
        preferences.awaitsSignature = awaitSignature || preferences.awaitsSignature
        preferences.reportsChunks = reportChunks
        return preferences
    }

    package init() {}
}

/// The memory parameters that a vendor's devices have to be sent (docs/formats/suota-profiles.md).
struct SUOTAProfile: Equatable {
    let name: String
    let pins: PinMap
    var bank = ImageBank.oldest
    var blockSize: Int?
    /// The largest payload that a bank takes.
    var bankSize: Int?
    /// Whether its firmware checks a signature after the transfer and reports it with a second status.
    var checksSignature = false
}

extension SUOTAProfile {
    /// The profile `name` of the file at `path`, or of the one that comes with the program.
    static func named(_ name: String, in path: String?) throws(CommandFailure) -> SUOTAProfile {
        let places = SharedFiles.places("profiles/suota.yaml", inCheckout: "manifests/profiles/suota.yaml")
        guard let path = path ?? Defaults[.profiles] ?? SharedFiles.first(places) else {
            throw CommandFailure(
                .file.fileNotFound, during: "reading the profiles",
                message: "no profiles file was found; searched: \(places.joined(separator: ", "))",
                nextStep: "give the file with --profiles, or the pins with --pins")
        }
        let text = try FirmwareFile(path: path).bytes
        let profiles: [SUOTAProfile]
        do throws(YAMLProblem) { profiles = try reading(text) } catch {
            throw CommandFailure(.suota.profileInvalid, during: "reading the profiles", error, in: path)
        }
        guard let profile = profiles.first(where: { $0.name == name }) else {
            throw CommandFailure(
                .suota.profileUnknown, during: "reading the profiles",
                message: "\(path) has no profile '\(name)'"
                    + Spelling.hint(
                        for: name, in: profiles.map(\.name),
                        otherwise: "; it has " + profiles.map(\.name).joined(separator: ", ")))
        }
        return profile
    }

    /// All profiles of a file.
    static func reading(_ text: [UInt8]) throws(YAMLProblem) -> [SUOTAProfile] {
        let root = try YAMLValue(parsing: text)
        let values = try root.values(of: ["profiles", "suota"])
        guard let version = values["profiles"] else { throw root.problem("'profiles: 1' is missing") }
        guard try version.number(as: Int.self) == 1 else {
            throw version.problem("only version 1 of the format is supported")
        }
        guard let list = values["suota"] else { throw root.problem("'suota' is missing") }
        var profiles: [SUOTAProfile] = []
        for value in try list.list() {
            let profile = try SUOTAProfile(value)
            guard !profiles.contains(where: { $0.name == profile.name }) else {
                throw value.problem("profile '\(profile.name)' appears twice")
            }
            profiles.append(profile)
        }
        return profiles
    }

    private init(_ value: YAMLValue) throws(YAMLProblem) {
        let values = try value.values(
            of: ["name", "pins", "bank", "block_size", "bank_size", "checks_signature"])
        guard let name = values["name"] else { throw value.problem("'name' is missing") }
        guard let words = values["pins"] else { throw value.problem("'pins' is missing") }
        self.name = try name.text()
        let text = try words.text()
        do throws(PinMapError) { pins = try PinMap(text) } catch { throw words.problem("\(error)") }
        if let value = values["bank"] {
            guard let bank = ImageBank(rawValue: try value.number()) else {
                throw value.problem("a bank is 0, 1 or 2")
            }
            self.bank = bank
        }
        if let value = values["block_size"] {
            let size: Int = try value.number()
            guard (1...0xFFFF).contains(size) else { throw value.problem("a block has 1 to 65535 bytes") }
            blockSize = size
        }
        if let value = values["bank_size"] {
            let size: Int = try value.number()
            guard size > 0 else { throw value.problem("a bank has at least 1 byte") }
            bankSize = size
        }
        if let value = values["checks_signature"] { checksSignature = try value.truth() }
    }
}
