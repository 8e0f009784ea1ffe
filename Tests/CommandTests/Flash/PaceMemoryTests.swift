import Foundation
import Logging
import Testing
import UpdateCore

@testable import BeaconCommands

@Suite struct `What was learned of devices' pace` {
    private let folder = FileManager.default.temporaryDirectory.path + "/pace-\(UUID().uuidString)"
    private let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func memory(isSimulated: Bool = false) throws -> PaceMemory {
        try #require(PaceMemory(isSimulated: isSimulated, environment: ["XDG_STATE_HOME": folder], log: log))
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    private func lesson(_ window: Int, _ bootloader: String = "init 512, writes 244") -> Lesson {
        Lesson(bootloader: bootloader, values: ["window": window, "erase_us": 87_000])
    }

    @Test func `is there in the next run, per kind, model and bootloader`() throws {
        defer { remove() }
        try memory().keep(lesson(8), kind: "nordic-secure", model: "Tag")
        try memory().keep(lesson(4, "init 256, writes 20"), kind: "nordic-secure", model: "Tag")
        try memory().keep(lesson(9), kind: "nordic-secure", model: "Other")
        #expect(
            try memory().lessons(kind: "nordic-secure", model: "Tag")
                == [lesson(8), lesson(4, "init 256, writes 20")])
        #expect(try memory().lessons(kind: "nordic-secure", model: "Other") == [lesson(9)])
        #expect(try memory().lessons(kind: "nordic-legacy", model: "Tag") == [])
    }

    @Test(
        arguments: [
            ("Tag", "Tag"), (nil, "unnamed"), ("Dfu12345", "unnamed"), ("Dfu00000", "unnamed"),
            ("DfuTarg", "DfuTarg"), ("Dfu1234", "Dfu1234"), ("Dfu123456", "Dfu123456"),
            ("Dfu1234x", "Dfu1234x"),
            ("dfu12345", "dfu12345"), ("Tag12345", "Tag12345"), ("Dfu", "Dfu"), ("", ""),
        ] as [(String?, String)])
    func `is not kept under a name that we gave to one bootloader`(_ name: String?, _ model: String) {
        #expect(PaceMemory.model(named: name) == model)
    }

    @Test func `is kept under no name that we ever give`() {
        for _ in 0..<1000 { #expect(PaceMemory.model(named: BootloaderName.random()) == "unnamed") }
    }

    @Test func `takes the place of what was known of such a bootloader`() throws {
        defer { remove() }
        try memory().keep(lesson(8), kind: "nordic-secure", model: "Tag")
        try memory().keep(lesson(6), kind: "nordic-secure", model: "Tag")
        #expect(try memory().lessons(kind: "nordic-secure", model: "Tag") == [lesson(6)])
    }

    @Test func `of simulated beacons is kept apart`() throws {
        defer { remove() }
        try memory(isSimulated: true).keep(lesson(8), kind: "nordic-secure", model: "Tag")
        #expect(try memory().lessons(kind: "nordic-secure", model: "Tag") == [])
        #expect(try memory(isSimulated: true).lessons(kind: "nordic-secure", model: "Tag") == [lesson(8)])
    }

    @Test(arguments: ["", "{", "[]", #"{"version":1}"#, #"{"kinds":7,"version":1}"#, "\u{0}\u{1}"])
    func `is begun anew where the file is damaged`(_ text: String) throws {
        defer { remove() }
        try memory().keep(lesson(8), kind: "a", model: "b")
        try text.write(toFile: try memory().path, atomically: true, encoding: .utf8)
        #expect(try memory().lessons(kind: "a", model: "b") == [])
        try memory().keep(lesson(7), kind: "a", model: "b")
        #expect(try memory().lessons(kind: "a", model: "b") == [lesson(7)])
    }

    @Test func `of a later version is neither read nor replaced`() throws {
        defer { remove() }
        try memory().keep(lesson(8), kind: "a", model: "b")
        let later = #"{"kinds":"something else","version":2}"#
        try later.write(toFile: try memory().path, atomically: true, encoding: .utf8)
        try memory().keep(lesson(7), kind: "a", model: "b")
        #expect(try String(contentsOfFile: try memory().path, encoding: .utf8) == later)
        #expect(try memory().lessons(kind: "a", model: "b") == [])
    }

    @Test func `is passed over where nothing can be written`() throws {
        let memory = try #require(
            PaceMemory(isSimulated: false, environment: ["XDG_STATE_HOME": "/dev/null"], log: log))
        memory.keep(lesson(8), kind: "a", model: "b")
        #expect(memory.lessons(kind: "a", model: "b") == [])
    }

    @Test func `is where the XDG specification wants it`() {
        func path(_ environment: [String: String]) -> String? {
            PaceMemory(isSimulated: false, environment: environment, log: log)?.path
        }
        #expect(path(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/beacon-dfu/pace.json")
        #expect(path(["XDG_STATE_HOME": "s", "HOME": "/h"]) == "/h/.local/state/beacon-dfu/pace.json")
        #expect(path(["XDG_STATE_HOME": ""]) == nil)
    }
}
