import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `The command line` {
    @Test(arguments: [["--version"], ["-V"], ["version"]])
    func `prints the version`(arguments: [String]) throws {
        let run = try Program.run(arguments)
        #expect(run.status == 0 && run.output.hasPrefix("beacon-dfu 0.1.0\n"))
        #expect(run.output.contains("\nwith libzip "))
    }

    @Test func `prints the version as JSON, with the libraries`() throws {
        let version = try #require(try Program.run(["--version", "--json"]).events.first)
        #expect(version["event"] as? String == "version")
        #expect(version["version"] as? String == "0.1.0")
        #expect(
            Set((version["libraries"] as? [String: Any] ?? [:]).keys)
                == ["libzip", "zlib", "OpenSSL", "libyaml", "SQLite"])
    }

    @Test func `has an example in the help of every command`() throws {
        func without(_ command: [String: Any], _ above: String = "") -> [String] {
            let name = above + (command["commandName"] as? String ?? "")
            let rest = (command["subcommands"] as? [[String: Any]] ?? []).filter {
                $0["commandName"] as? String != "help"
            }
            let hasExample =
                (command["discussion"] as? String)?.firstMatch(of: /Examples?:\s+(with )?`/) != nil
            return (hasExample ? [] : [name]) + rest.flatMap { without($0, name + " ") }
        }
        let dump = try Program.run(["--experimental-dump-help"])
        let object = try JSONSerialization.jsonObject(with: Data(dump.output.utf8))
        let tree = try #require(object as? [String: Any])
        #expect(without(try #require(tree["command"] as? [String: Any])).isEmpty)
    }

    @Test(arguments: [
        (["flsh"], "Error: there is no command 'flsh'; did you mean 'flash'?\nUsage: "),
        (["help", "flsh"], "Error: there is no command 'flsh'; did you mean 'flash'?\nUsage: "),
        (
            ["flash", "--devce", "x"],
            "Error: there is no option '--devce'; did you mean '--device'?\nUsage: "
        ),
        (
            ["flash", "a.zip"],
            "Error: --device <selector> is missing; `beacon-dfu scan` lists the beacons in range\nUsage: "
        ),
        (["inspect", "-dash.zip"], "Error: '-dash.zip' is read as options"),
        (["explain", "linklost"], "did you mean 'link-lost'?"),
    ])
    func `suggests a similar word`(arguments: [String], words: String) throws {
        let run = try Program.run(arguments)
        #expect(run.status == 64 && run.output.isEmpty)
        #expect(run.talk.contains(words), "\(run.talk)")
    }

    @Test func `has help on exit codes`() throws {
        let run = try Program.run(["help", "exit-codes"])
        #expect(run.status == 0)
        for code in [0, 1, 2, 3, 64, 65, 66, 69, 70, 75, 77, 130] {
            #expect(run.output.contains("\(code)  "))
        }
    }

    @Test func `explains codes that match a word`() throws {
        let run = try Program.run(["explain", "signature"])
        #expect(run.status == 0)
        #expect(run.output.contains("  signature-invalid  ") && !run.output.contains("link-lost"))
        let all = try Program.run(["explain"])
        #expect(all.output.contains("  link-lost  ") && all.output.contains("Findings\n"))
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `README and the guides` {
    @Test func `show what the program prints`() throws {
        let run = try Tool.run(["python3", Samples.root + "/scripts/pages", Program.path])
        #expect(run.status == 0, "\(run.text)\(run.talk)")
    }
}
