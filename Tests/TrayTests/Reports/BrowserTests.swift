import Foundation
import TestSupport
import Testing
import Tray
import TraySamples

/// The result of a page in a browser.
private struct Visit: Decodable {
    let title: String
    let answers: [Int]
    let requests: [String]
    let dialogs: [String]
    let problems: [String]

    static let isPossible = ["chromium", "chromium-browser", "google-chrome"].contains { name in
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }

    static func of(_ page: String, _ arguments: [String] = [], picture: Bool = false) throws -> Visit {
        try Tool.inFolder { folder in
            let path = try Tool.write(Array(page.utf8), as: "page.html", in: folder)
            let shot = folder + "/page.png"
            let more = picture ? ["--picture", shot, "1280x800"] : []
            let output = try Tool.output(of: [Samples.root + "/scripts/open-page", path] + arguments + more)
            if picture {
                #expect(try Samples.file(at: shot).starts(with: [0x89, 0x50, 0x4E, 0x47]))
            }
            return try JSONDecoder().decode(Visit.self, from: Data(output))
        }
    }
}

@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: Visit.isPossible, "there is no Chromium here: apt-get install chromium"))
struct `A browser that opens a tray's page` {
    private static let shown = "document.querySelectorAll('details:not([hidden])').length"

    @Test func `fetches nothing, reports no error, and runs no code from a name`() throws {
        let page = `A tray's page`.page(SampleRecord.few)
        let find =
            "const f = document.getElementById('find'); f.value = 'link-lost'; f.dispatchEvent(new Event('input')); "
        let visit = try Visit.of(
            page,
            [
                "--ask", Self.shown, "--ask", find + Self.shown,
                "--ask",
                "f.value = ''; f.dispatchEvent(new Event('input')); document.querySelector('.tools [data-k=r]').click(); "
                    + "Number(document.querySelector('#list details').dataset.r)",
                "--ask", "document.querySelector('.chips [data-f=failed]').click(); " + Self.shown,
                "--ask", "document.scripts.length + document.images.length",
            ], picture: true)
        #expect(visit.title == #"Tray report: <b>tray</b> & '"\u{202e}.yaml"#)
        #expect(visit.answers == [11, 1, 0, 9, 1])
        #expect(visit.requests == [])
        #expect(visit.dialogs == [])
        #expect(visit.problems == [])
    }

    @Test func `would not run even markup inserted into it`() throws {
        let strange =
            "<script>document.title='owned'</script><img src=https://example.org/x onerror=alert(1)>"
        let page = `A tray's page`.page(SampleRecord.few).replacing("<main>", with: "<main>" + strange)
        let visit = try Visit.of(page, ["--ask", "document.images.length"])
        #expect(visit.title.hasPrefix("Tray report"))
        #expect(visit.answers == [1])
        #expect(visit.dialogs == [])
        #expect(!visit.problems.isEmpty)
    }
}
