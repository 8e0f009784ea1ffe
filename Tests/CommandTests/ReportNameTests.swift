import Testing

@testable import TrayCommands

@Suite struct `The reports of a command that has several runs` {
    @Test(arguments: [
        ("WO-17.html", 1, "WO-17.html"), ("WO-17.html", 2, "WO-17-2.html"),
        ("/a.b/report.csv", 12, "/a.b/report-12.csv"),
        ("/a.b/report", 2, "/a.b/report-2"),
    ])
    func `have a file each`(_ path: String, _ run: Int, _ name: String) {
        #expect(ReportFiles.name(path, forRun: run) == name)
    }
}
