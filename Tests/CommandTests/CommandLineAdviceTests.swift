import ArgumentParser
import Firmware
import Testing
import UpdateModel

@testable import CommandKit
@testable import FileCommands
@testable import RadioCommands
@testable import TrayCommands

@Suite struct `A command line with a name that does not exist` {
    private func advice(_ line: String) throws -> CommandLineAdvice {
        CommandLineAdvice(
            line.split(separator: " ").map(String.init), try #require(CommandTree.once))
    }

    @Test(arguments: [
        ("flsh a.zip", "there is no command 'flsh'; did you mean 'flash'?"),
        ("help flsh", "there is no command 'flsh'; did you mean 'flash'?"),
        ("build nordc out.zip", "there is no command 'nordc'; did you mean 'nordic'?"),
        (
            "station",
            "there is no command 'station'; the commands are flash, batch, history, scan, info, blink, config, history-read, inspect, validate, build, keys, catalogue, doctor, simulate, secrets, config-file, explain"
        ),
        ("flash --devce x", "there is no option '--devce'; did you mean '--device'?"),
        ("flash a.zip --devce=x", "there is no option '--devce'; did you mean '--device'?"),
        ("flash a.zip --yes", "there is no option '--yes'; `beacon-dfu flash --help` lists them"),
        (
            "build nordic o.zip --hw-verson 52",
            "there is no option '--hw-verson'; did you mean '--hw-version'?"
        ),
        ("inspect -dash.zip", "'-dash.zip' is read as options; for a file of that name write './-dash.zip'"),
        ("flash a.zip -device x", "there is no option '-device'; did you mean '--device'?"),
        ("--adapter sim scan", "options come after the command: `beacon-dfu scan --adapter`"),
        ("--json catalogue list", "options come after the command: `beacon-dfu catalogue list --json`"),
        ("scan -x", "there is no option '-x'; `beacon-dfu scan --help` lists them"),
    ])
    func `is refused with the name and a suggestion`(line: String, words: String) throws {
        let problem = try #require(try advice(line).unknownName)
        #expect(problem.hasPrefix(words), "\(problem)")
    }

    @Test(arguments: [
        "", "--help", "flash --help", "flash -h", "help flash", "help build nordic", "flash a.zip --device x",
        "inspect -- -dash.zip", "scan --filter rssi>-70", "build", "flash a.zip --prn -5",
    ])
    func `has no suggestion if all names are known`(line: String) throws {
        #expect(try advice(line).unknownName == nil)
    }

    @Test(arguments: [
        "--generate-completion-script tcsh", "--generate-completion-script=tcsh",
        "scan --generate-completion-script tcsh",
    ]) func `is refused with the shells for which there is completion`(_ line: String) throws {
        #expect(
            try advice(line).unknownName
                == "'tcsh' of --generate-completion-script is not one of the shells zsh, bash, fish")
    }

    @Test func `is not, so a command refuses it with its own usage`() throws {
        let batch = try advice("batch a.zip --rule name=a").usage(of: Batch.self)
        #expect(
            batch == [
                "Usage: beacon-dfu batch [<options>] [<tray>]",
                "  See 'beacon-dfu batch --help' for more information.",
            ])
        let build = try advice("build nordic a.hex").usage(of: BuildNordic.self)
        #expect(build.first?.hasPrefix("Usage: beacon-dfu build nordic") == true)
        #expect(build.last == "  See 'beacon-dfu build nordic --help' for more information.")
    }

    @Test(arguments: [
        ("flash --packet-size -1", "flash --packet-size=-1"),
        ("scan --for -0.5 --json", "scan --for=-0.5 --json"),
        ("scan --for -x", "scan --for -x"), ("flash --device=a -1", "flash --device=a -1"),
        ("inspect -- --for -1", "inspect -- --for -1"), ("-1", "-1"),
        ("inspect -1 --for -1", "inspect -1 --for=-1"),
    ]) func `is none if it has a negative number`(_ line: String, _ joined: String) {
        let words = line.split(separator: " ").map(String.init)
        #expect(RawArguments.joiningNegativeNumbers(words).joined(separator: " ") == joined)
    }

    @Test func `is refused with all missing options`() throws {
        #expect(
            try advice("build suota a.hex b.img").missingOptions
                == "--header <family> and --version <text> are missing")
        // On a terminal, the program asks for the beacon.
        #expect(try advice("flash a.zip").missingOptions == nil)
    }
}

@Suite struct `A value that cannot be used` {
    @Test(arguments: [
        ("Tag", "by its name, such as 'name:Tag'"),
        ("F00DBEAC0101", "write the address as F0:0D:BE:AC:01:01"),
        ("f0-0d-be-ac-01-01", "write the address as F0:0D:BE:AC:01:01"),
        ("F0:0D:BE:AC:01:01/static", "an address may only be followed by /public or /random"),
        ("id:", "the id is missing after 'id:'"),
        ("ibeacon:aaa/1/2", "ibeacon:UUID/MAJOR/MINOR"), ("nmae:Tag", "did you mean 'name:'?"),
        ("name:", "the name is missing"),
    ])
    func `for a beacon is refused with the reason`(text: String, words: String) {
        let error = #expect(throws: (any Error).self) { try Flash.parse(["a.zip", "--device", text]) }
        let message = error.map { Flash.message(for: $0) } ?? ""
        #expect(message.contains("--device") && message.contains(words), "\(message)")
    }

    @Test func `of an update names its option`() {
        for option in KnownVendors.options.flatMap({ $0.options }) {
            guard let flaw = option.flaw(of: "?")?.withOptions else { continue }
            #expect(flaw.contains("--\(option.name) "), "\(flaw)")
            let error = #expect(throws: (any Error).self) {
                try Flash.parse(["a.zip", "--\(option.name)=?"])
            }
            let message = error.map { Flash.message(for: $0) } ?? ""
            #expect(option.isFlag || message.hasSuffix(flaw), "\(message)")
        }
    }

    @Test(arguments: [
        ("prn", "a whole number from 0 to 65535"), ("upload-window", "a number from 1 to "),
        ("bank", "0, 1 or 2"),
        ("packet-size", "a number of bytes from 20 to 512"), ("interval", "a number of ms from 7.5 to 4000"),
        ("connect-timeout", "a number of seconds from 1 to 600"),
        ("block-size", "a number of bytes from 1 to 65535"),
    ]) func `is refused with its range also if it is negative`(_ name: String, _ range: String) {
        let error = #expect(throws: (any Error).self) { try Flash.parse(["a.zip", "--\(name)=-1"]) }
        let message = error.map { Flash.message(for: $0) } ?? ""
        #expect(message.contains("--\(name) is \(range)"), "\(message)")
    }

    @Test(arguments: [
        (["--sd-req", "s140"], "give one of s140_6.0.0, s140_6.1.0, s140_6.1.1,"),
        (["--sd-req", "0xB6,s140_6.1.2"], "'s140_6.1.2' is neither"),
        (["--sd-req", "s140_6.1.2"], "did you mean 's140_6.1"),
        (["--hw-version", "-x"], "--hw-version"),
        (["--hw-version", "0xZZ"], "a number from 0 to 4294967295"),
        (["--application-version-string", "1.2"], "three numbers such as 2.7.31"),
    ])
    func `for a package is refused with the reason`(arguments: [String], words: String) {
        let error = #expect(throws: (any Error).self) {
            try BuildNordic.parse(["out.zip", "--application", "a.hex"] + arguments)
        }
        let message = error.map { BuildNordic.message(for: $0) } ?? ""
        #expect(message.contains(words), "\(message)")
    }

    @Test func `for a model has a suggestion`() {
        let error = #expect(throws: (any Error).self) {
            try BuildFBeacon.parse(["a.hex", "o.fbu", "--version-end", "1", "--model", "BP10"])
        }
        let message = error.map { BuildFBeacon.message(for: $0) } ?? ""
        #expect(
            message.contains("'BP10' is neither a model") && message.contains("did you mean 'BP10"),
            "\(message)")
    }
}
