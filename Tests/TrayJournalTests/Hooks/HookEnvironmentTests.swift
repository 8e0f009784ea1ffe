import Testing

@testable import TrayJournal

@Suite struct `The environment of a hook` {
    private static let whole = [
        "PATH": "/bin", "HOME": "/home/a", "USER": "a", "LOGNAME": "a", "SHELL": "/bin/sh",
        "LANG": "de_DE.UTF-8",
        "LANGUAGE": "de", "LC_ALL": "C.UTF-8", "LC_TIME": "de_DE.UTF-8", "TZ": "Europe/Berlin",
        "TMPDIR": "/tmp",
    ]
    private static let secrets = [
        "PGPASSWORD": "x", "PGPASSFILE": "/x", "AWS_SECRET_ACCESS_KEY": "x", "GITHUB_TOKEN": "x",
        "https_proxy": "x",
        "BEACON_DFU_SECRETS": "/x", "SSH_AUTH_SOCK": "/x", "LC": "x",
    ]

    private func variables(passing names: Set<String> = [], _ more: [String: String] = [:]) -> [String:
        String]
    {
        var hook = Hook(name: "label", command: "")
        hook.variables = names
        let all = Self.whole.merging(Self.secrets) { $1 }.merging(more) { $1 }
        return hook.environment(of: HookCall(key: "run/A1", body: "{}", tries: 2), from: all)
    }

    @Test func `has what every program needs, and the variables of the call`() {
        let call = ["BEACON_DFU_KEY": "run/A1", "BEACON_DFU_TRIES": "2"]
        #expect(variables() == Self.whole.merging(call) { $1 })
        #expect(variables(["BEACON_DFU_KEY": "another"]) == variables())
    }

    @Test func `also has the named variables that exist`() {
        let more = variables(passing: ["https_proxy", "none"])
        #expect(more["https_proxy"] == "x" && more.count == variables().count + 1)
    }
}
