import Firmware
import TestSupport
import Testing
import UpdateModel

@testable import CommandKit
@testable import FileCommands

@Suite struct `The rules of the gate` {
    @Test func `are in docs/rules.md as the program lists them`() throws {
        let text = String(decoding: try Samples.file(at: Samples.root + "/docs/rules.md"), as: UTF8.self)
        let table = RuleList(rules: RuleSet()).lines(.text).joined(separator: "\n")
        #expect(text.contains(table), "docs/rules.md should have\n\(table)")
    }

    @Test func `state what they prevent, in one sentence that fits on a line`() {
        for rule in Rule.all {
            #expect(rule.prevents.hasSuffix(".") && rule.prevents.count <= 110, "\(rule.id)")
            #expect(!rule.prevents.contains("|"), "\(rule.id)")
        }
    }
}
