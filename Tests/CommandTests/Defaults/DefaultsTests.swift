import Bytes
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import Tray
import UpdateModel

@testable import CommandKit

@Suite struct `Defaults of options` {
    private func file(_ text: String, at path: String = "/home/a/.config/beacon-dfu/config.yaml") throws
        -> DefaultsFile
    {
        try DefaultsFile(path: path, Array(text.utf8), home: "/home/a")
    }

    @Test func `of a file have their line number`() throws {
        let file = try file("# this bench\nadapter: hci1\nlog-level: debug\n")
        #expect(file.values[.adapter]?.text == "hci1")
        #expect(file.values[.adapter]?.line == 2)
        #expect(file.values[.logLevel]?.line == 3)
    }

    @Test func `are read from a file whose path is not UTF-8`() throws {
        try Tool.inFolder { folder in
            let home = folder + "/" + PathText.text(of: [0x68, 0xFF])
            for place in [home, home + "/beacon-dfu"] { #expect(mkdir(place.systemPath, 0o700) == 0) }
            let path = home + "/beacon-dfu/config.yaml"
            var draft = try FileDraft(in: home + "/beacon-dfu", mode: 0o600)
            try draft.append(Array("log-level: debug\n".utf8))
            #expect(try draft.publish(at: path))
            for variables in [["XDG_CONFIG_HOME": home], ["BEACON_DFU_CONFIG": path]] {
                let defaults = try Defaults(variables)
                #expect(defaults.files.first?.path == path && defaults.files.first?.exists == true)
                #expect(defaults.values[.logLevel]?.text == "debug")
            }
            #expect(SharedFiles.firstReadable(of: [folder + "/none", path]) == path)
        }
    }

    @Test(arguments: ["journal: runs/j.sqlite", "catalogue: runs/j.sqlite", "secrets: runs/j.sqlite"])
    func `that are paths in a file of the current folder are relative to it`(_ text: String) throws {
        let value = try #require(try file(text, at: "config.yaml").values.first?.value)
        #expect(value.text == "runs/j.sqlite")
        #expect(try file(text, at: "/config.yaml").values.first?.value.text == "/runs/j.sqlite")
    }

    @Test(arguments: [
        ("secrets: ~/bench/secrets.yaml", DefaultSetting.secrets, "/home/a/bench/secrets.yaml"),
        ("catalogue: releases", .catalogue, "/home/a/.config/beacon-dfu/releases"),
        ("catalogue: /srv/releases", .catalogue, "/srv/releases"),
        ("adapter: sim:tray.yaml", .adapter, "sim:/home/a/.config/beacon-dfu/tray.yaml"),
        ("adapter: sim", .adapter, "sim"),
    ])
    func `that are paths are relative to their file`(
        _ text: String, _ setting: DefaultSetting, _ value: String
    ) throws {
        #expect(try file(text).values[setting]?.text == value)
    }

    @Test(arguments: ["", "\n", "# nothing yet\n", "  # nothing\n\n"])
    func `may be absent`(_ text: String) throws { #expect(try file(text).values.isEmpty) }

    @Test(arguments: [
        ("adaptor: hci1", "'adapter'"), ("log-level: loud", "'loud' is not one of trace"),
        ("adapter: eth0", "'eth0' is not"),
        ("color: green", "'green' is not one of auto"), ("secrets: ''", "the value is empty"),
        ("- a", "mapping"),
        ("adapter: [hci0]", "a single value"),
    ])
    func `that are wrong are refused with their place`(_ text: String, _ words: String) throws {
        let problem = try #require(throws: YAMLProblem.self) { try file(text) }
        #expect(problem.line == 1)
        #expect("\(problem)".contains(words), "\(problem)")
    }

    @Test func `of a file that is cut anywhere are read or refused`() {
        let text = "adapter: hci1\nlog-level: debug\nsecrets: ~/s.yaml\n"
        for end in text.indices { _ = try? file(String(text[..<end])) }
    }

    @Test func `of the environment take precedence over the file`() throws {
        let path = FileManager.default.temporaryDirectory.path + "/defaults-\(UUID().uuidString).yaml"
        try Data("adapter: hci1\ncolor: never\n".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let defaults = try Defaults(["BEACON_DFU_CONFIG": path, "BEACON_DFU_ADAPTER": "sim"])
        #expect(defaults.values[.adapter]?.text == "sim")
        #expect(defaults.values[.adapter]?.origin == .variable("BEACON_DFU_ADAPTER"))
        #expect(defaults.values[.color]?.origin == .file(path, line: 2))
    }

    @Test(arguments: [
        ("BEACON_DFU_COLOR", "pink", "'pink' is not one of auto, always, never"),
        ("BEACON_DFU_LOG_LEVEL", "loud", "'loud' is not one of trace"),
        ("BEACON_DFU_ADAPTER", "nonsense", "'nonsense' is not an adapter"),
    ]) func `of the environment that are wrong are a wrong usage`(
        _ name: String, _ text: String, _ words: String
    )
        throws
    {
        let failure = try #require(throws: CommandFailure.self) { try Defaults([name: text]) }
        #expect(failure.code == "config-invalid" && failure.exit == .usage)
        #expect(failure.message.hasPrefix("\(name): \(words)"), "\(failure.message)")
        #expect(failure.nextStep == "correct \(name), or unset it")
    }

    @Test func `that are paths are named by failures with the path`() throws {
        let defaults = try Defaults(["BEACON_DFU_CATALOGUE": "/none", "BEACON_DFU_COLOR": "never"])
        #expect(defaults.origin(ofPathIn: "/none: No such file") == "BEACON_DFU_CATALOGUE")
        #expect(defaults.origin(ofPathIn: "/none has no .yaml file") == "BEACON_DFU_CATALOGUE")
        #expect(defaults.origin(ofPathIn: "/none/a: No such file") == nil)
        #expect(defaults.origin(ofPathIn: "never: ") == nil)
    }

    @Test(arguments: [
        (FailureCode.file.fileNotFound, "/none.yaml: No such file", true),
        (.file.fileIsDirectory, "/none.yaml is a folder", true),
        (.command.scenarioInvalid, "/none.yaml: line 1, column 2: not valid YAML", true),
        (.system.noAdapter, "there is no adapter", true), (.tray.adapterSingle, "several adapters", true),
        (.file.fileNotFound, "/none.yaml.zip: No such file", false),
        (.device.linkLost, "the link is lost", false),
    ]) func `of the adapter are named by failures that they cause`(
        _ code: FailureCode, _ message: String, _ isCause: Bool
    ) throws {
        let failure = CommandFailure(code, during: "starting", message: message)
        let defaults = try Defaults(["BEACON_DFU_ADAPTER": "sim:/none.yaml"])
        let named = failure.namingDefaultAdapter(unless: nil, defaults)
        let words = failure.nextStep + "; the adapter is from BEACON_DFU_ADAPTER"
        #expect(named.nextStep == (isCause ? words : failure.nextStep))
        #expect(failure.namingDefaultAdapter(unless: .simulated(scenario: nil), defaults) == failure)
    }

    @Test func `of a named file that does not exist are an error`() throws {
        let failure = try #require(throws: CommandFailure.self) {
            try Defaults(["BEACON_DFU_CONFIG": "/nowhere.yaml"])
        }
        #expect(failure.code == "file-not-found")
        #expect(failure.message.hasPrefix("BEACON_DFU_CONFIG: /nowhere.yaml"))
    }

    @Test func `are looked up in the folders for users and for the machine`() throws {
        let files = try Defaults(["HOME": "/home/nobody-of-this-name"]).files
        #expect(
            files.map(\.path) == [
                "/home/nobody-of-this-name/.config/beacon-dfu/config.yaml", "/etc/beacon-dfu/config.yaml",
            ])
        #expect(
            try Defaults(["HOME": "/h", "XDG_CONFIG_HOME": "/c"]).files.first?.path
                == "/c/beacon-dfu/config.yaml")
        #expect(try Defaults(["HOME": "/h", "BEACON_DFU_CONFIG": ""]).files.isEmpty)
    }
}

@Suite struct `Files shipped with the program` {
    private let file = "/beacon-dfu/profiles/suota.yaml"

    private func places(_ program: String?, _ environment: [String: String]) -> [String] {
        SharedFiles.paths(
            of: "profiles/suota.yaml", inCheckout: "here.yaml", program: program, environment: environment)
    }

    @Test func `are looked up where programs keep their data`() {
        #expect(
            places("/opt/dfu/bin/beacon-dfu", ["HOME": "/home/a"])
                == ["here.yaml"]
                + [
                    "/home/a/.config", "/home/a/.local/share", "/etc", "/opt/dfu/share", "/usr/local/share",
                    "/usr/share",
                ]
                .map { $0 + file })
        #expect(
            places(
                nil, ["HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_DATA_DIRS": "/x:/y"])
                == ["here.yaml"] + ["/c", "/d", "/etc", "/x", "/y"].map { $0 + file })
    }
}
