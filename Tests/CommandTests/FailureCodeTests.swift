import CommandKit
import Foundation
import TestSupport
import Testing
import Tray
import UpdateModel

@testable import BeaconCommands

@Suite struct `The failure codes` {
    @Test func `have one declaration each, in kebab case`() {
        let names = FailureCode.all.map(\.rawValue)
        #expect(names.count > 500 && Set(names).count == names.count)
        for name in names {
            #expect(name.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) != nil, "\(name)")
        }
    }

    /// The compiler checks Swift only. SQL and C name codes as text.
    @Test func `include those of the work server's SQL and of the start in C`() throws {
        var names: Set<String> = []
        for folder in ["/Sources/WorkServer/Schema", "/Sources/CBuildNote"] {
            for path in try FileManager.default.subpathsOfDirectory(atPath: Samples.root + folder)
            where path.hasSuffix(".swift") || path.hasSuffix(".c") {
                let bytes = try Samples.file(at: Samples.root + folder + "/" + path)
                let text = String(decoding: bytes, as: UTF8.self)
                let refusal = /(?:refuse|deny)\((?:CASE [^;]*? THEN )?["']([a-z-]+)["'](?: ELSE '([a-z-]+)')?/
                for match in text.matches(of: refusal) {
                    names.insert(String(match.1))
                    if let other = match.2 { names.insert(String(other)) }
                }
                for match in text.matches(of: /CONSTRAINT = '([a-z-]+)'/) { names.insert(String(match.1)) }
            }
        }
        #expect(names.count > 30)
        #expect(names.filter { FailureCode.known($0) == nil }.sorted() == [])
    }

    @Test func `have summaries that are shorter than a paragraph`() {
        for code in FailureCode.all {
            #expect(!code.summary.isEmpty && !code.summary.hasSuffix("."), "\(code)")
            #expect(code.meaning.hasPrefix(code.summary), "\(code)")
        }
    }

    @Test func `have meanings of their own`() {
        let alike = Dictionary(grouping: FailureCode.all, by: \.meaning).values.filter { $0.count > 1 }
        #expect(alike.map { $0.map(\.rawValue).sorted() }.sorted { $0[0] < $1[0] } == [])
    }

    /// Other groups would declare them in vain: a tray looks for these flags in two groups, and the bench in one.
    @Test func `declare what trays decide by only in the groups that trays read`() {
        let read = Set((FailureCode.device.codes + FailureCode.tray.codes).map(\.rawValue))
        #expect(Set(FailureCode.all.filter(\.isUnreached).map(\.rawValue)).isSubset(of: read))
        let held = FailureCode.all.filter(\.isBenchHold).map(\.rawValue)
        #expect(!held.isEmpty && Set(held) == HoldReason.codesReleasedAtBench)
    }

    /// No page shows these: a code without its mark would delete what is known of a unit, or end `work --follow`.
    @Test func `are marked in these cases, and in no other`() {
        func names(_ isMarked: (FailureCode) -> Bool) -> String {
            FailureCode.all.filter(isMarked).map(\.rawValue).joined(separator: " ")
        }
        #expect(
            names(\.isUnreached)
                == "connection-not-established device-not-found link-lost no-answer unit-time")
        #expect(
            names(\.isBenchHold) == "consecutive-failures failure-share golden-failed paused same-cause")
        #expect(
            names(\.mayPass) == """
                engine-busy engine-disk-full engine-no-connection-free engine-read-only engine-unreachable \
                engine-unready nothing-claimed order-held run-complete run-missing station-at-work \
                station-not-greeted tray-empty
                """)
    }

    @Test func `have the exit status of bugs in two cases only`() {
        #expect(
            FailureCode.all.filter { $0.exit == .internalError }
                == ["internal-error", "journal-contradiction"])
    }

    @Test func `have a full stop after every meaning and none after a next step`() {
        for code in FailureCode.all {
            #expect(code.meaning.hasSuffix("."), "\(code)")
            #expect(!code.nextStep.withOptions.hasSuffix("."), "\(code)")
        }
    }

    @Test func `are in docs/troubleshooting.md as the program describes them`() throws {
        let text = String(
            decoding: try Samples.file(at: Samples.root + "/docs/troubleshooting.md"), as: UTF8.self)
        for topic in FailureCode.topics {
            for code in topic.codes where code.rule == nil {
                let row = "| `\(code)` | \(code.exit.rawValue) | \(code.summary) |"
                #expect(text.contains(row), "scripts/failure-codes writes the row \(row)")
            }
        }
    }

    @Test func `and the exit statuses are in docs/json.md as the program describes them`() throws {
        let text = String(decoding: try Samples.file(at: Samples.root + "/docs/json.md"), as: UTF8.self)
        for status in ExitStatus.allCases {
            let row = "| \(status.rawValue) | \(status.meaning) |"
            #expect(text.contains(row), "docs/json.md should have the row \(row)")
        }
    }
}
