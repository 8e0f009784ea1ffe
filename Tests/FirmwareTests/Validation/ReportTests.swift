import Nordic
import Testing
import UpdateModel

@testable import Firmware

@Suite struct `The path of a file in a report` {
    @Test(arguments: [
        ("dist/a.zip", "dist/a.zip"), ("./dist/a.zip", "dist/a.zip"), ("./././a.zip", "a.zip"),
        ("dist//a.zip", "dist/a.zip"),
        ("dist/./a.zip", "dist/a.zip"), ("/srv/repo/dist/a.zip", "dist/a.zip"),
        ("/srv/repository/a.zip", "/srv/repository/a.zip"),
        ("/srv/repo", "/srv/repo"), ("../a.zip", "../a.zip"), ("/", "/"),
    ])
    func `is relative to the working folder`(_ path: String, _ shown: String) {
        #expect(ReportPath(path, in: "/srv/repo").text == shown)
    }

    @Test(arguments: [("a b,c%.zip", "a%20b%2Cc%25.zip"), ("/x/ü.zip", "file:///x/%C3%BC.zip")])
    func `is a reference with everything escaped`(_ path: String, _ uri: String) {
        #expect(ReportPath(path, in: "/srv/repo").uri == uri)
    }
}

@Suite struct `Findings as workflow commands` {
    private func lines(_ finding: Finding, path: String = "dist/a.zip", isStrict: Bool = false) -> [String] {
        GitHubReport.lines(
            FileReport(path: path, bytes: 1, sha256: nil, kind: nil, findings: [finding]), isStrict: isStrict,
            in: "/srv")
    }

    @Test(arguments: [
        (FindingLevel.error, false, "error"), (.warning, false, "warning"), (.warning, true, "error"),
        (.note, true, "notice"),
    ])
    func `have the effective level`(_ level: FindingLevel, _ isStrict: Bool, _ command: String) {
        #expect(
            lines(Finding(.nordicFinding.debug, level, "is a debug build"), isStrict: isStrict)
                == ["::\(command) file=dist/a.zip,line=1,title=debug::is a debug build"])
    }

    @Test func `cannot begin another command, whatever the name of a file`() throws {
        let line = try #require(
            lines(
                Finding(.nordicFinding.debug, .error, "100 %\n::set-env name=A::B"),
                path: "a:b,c%\n::error::x.zip"
            )
            .first)
        #expect(!line.contains("\n") && !line.contains("\r"))
        #expect(line.hasPrefix("::error file=a%3Ab%2Cc%25"), "\(line)")
        #expect(line.dropFirst(2).ranges(of: "::").count >= 1)
    }
}
