import ArgumentParser
import Testing

@testable import CommandKit
@testable import FileCommands
@testable import RadioCommands
@testable import TrayCommands

@Suite struct `Options` {
    /// Parses a command or, which is faster, the group of options that has the rule; '' stands for an empty word.
    private static func parse(_ line: String) throws {
        let words = line.split(separator: " ").map { $0 == "''" ? "" : String($0) }
        let type: any ParsableArguments.Type =
            switch words[0] {
            case "batch": Batch.self
            case "units": UnitOptions.self
            case "run": RunOptions.self
            case "record": RecordOptions.self
            case "install": InstallOptions.self
            case "basic": BasicOptions.self
            case "flash": Flash.self
            case "release": ReleaseOptions.self
            case "flash-record": FlashRecordOptions.self
            case "device": DeviceOptions.self
            case "scan": Scan.self
            case "blink": Blink.self
            case "history-read": HistoryRead.self
            case "password": ChangePassword.self
            case "doctor": Doctor.self
            case "simulate": Simulate.self
            case "history": HistoryCommand.self
            case "filter": HistoryFilter.self
            case "place": JournalChoice.self
            case "outbox": HistoryOutbox.self
            case "show": ShowKey.self
            case "validate": Validate.self
            case "sign": SignCatalogue.self
            case "match": MatchCatalogue.self
            default: preconditionFailure("no command \(words[0])")
            }
        _ = try type.parse(Array(words.dropFirst()))
    }

    private static let tray = [
        ("batch", "give a tray file"), ("batch t.yaml --catalogue c", "--catalogue requires --rule"),
        ("batch p.zip --rule name=A --catalogue c", "not both"),
        ("batch --rule name=A", "--rule needs a firmware package"),
        ("run --resume --retry-failed", "give only one of them"),
        ("run --max-failures=-1", "0 to 1000"), ("run --max-failures 1001", "0 to 1000"),
        ("run --links 0", "--links"), ("run --links 65", "--links"),
        ("units --allow move", "--allow requires --codes"),
        ("units --rule name=A --codes -", "omit --rule"),
        ("units --from-scan o.yaml", "--from-scan requires --rule"),
        ("batch p.zip --rule name=A --from-scan o.yaml --resume", "omit --resume"),
        ("batch p.zip --rule name=A --from-scan o.yaml --retry-failed", "omit --resume"),
        ("units --expected 0", "1 to 1000"), ("units --expected 1001", "1 to 1000"),
        ("units --scan-for 0", "--scan-for"), ("units --scan-for 3600.1", "--scan-for"),
        ("units --scan-for nan", "--scan-for"),
        ("record --hook a=x --hook a=y", "two hooks have the same name"),
        ("record --hook-env X", "--hook-env requires --hook"),
        ("record --hook a=x --hook-env X=1", "the name of a variable"),
        ("record --hook a=x --hook-env ''", "the name of a variable"),
        ("basic --pretty", "--json"), ("install --attempts 0", "--attempts is at least 1"),
        ("install --min-battery 101", "--min-battery"),
        ("basic --timeout 0", "1 to 86400"), ("basic --timeout 86401", "1 to 86400"),
    ]

    private static let device = " --device F0:0D:BE:AC:01:00"

    private static let flash = [
        ("flash" + device, "give a firmware package"),
        ("flash p.zip --from-catalogue" + device, "give no file"),
        ("flash p.zip --force older-catalogue" + device, "requires --require-signed-catalogue"),
        ("flash p.zip --expect-version 2 --no-verify" + device, "not both"),
        ("flash p.zip --expect-version ''" + device, "must not be empty"),
        ("release --beta", "--beta requires --from-catalogue"),
        ("release --release 2", "--release requires --from-catalogue"),
        ("release --catalogue c", "--catalogue requires --from-catalogue"),
        ("release --require-signed-catalogue k", "requires --from-catalogue"),
        ("flash-record --no-journal --journal j", "not both"),
        ("device --wait 86401", "--wait"),
        ("device --scan-for 0", "--scan-for"),
    ]

    private static let radio = [
        ("scan --watch --for auto", "not both"), ("scan --watch --wait 5", "only one of --wait"),
        ("scan --for 3 --wait 5", "only one of --wait"), ("scan --wait 0", "--wait is a number of seconds"),
        ("scan --csv --watch", "not both"), ("scan --csv --json", "not both"),
        ("scan --columns address,update", "needs a catalogue"),
        ("scan --connect", "--connect requires --catalogue"),
        ("scan --connect --catalogue c --watch", "cannot be used with --watch"),
        ("scan --secrets s", "--secrets requires --connect"), ("scan --wide --columns address", "not both"),
        ("scan --require-signed-catalogue k", "requires --catalogue"),
        ("password --record r --capture c" + device, "plain text"),
        ("password --record r --new-secrets s --new-descriptor 3" + device, "not both"),
        ("password --record r --new-descriptor=-1" + device, "a number from 0"),
        ("history-read" + device, "give either --out"),
        ("history-read --out o --follow" + device, "give either --out"),
        ("history-read --out - --json" + device, "not both"),
        ("history-read --follow --newest-first" + device, "require --out"),
        ("history-read --follow --from 1" + device, "require --out"),
        ("history-read --follow --count 1" + device, "require --out"),
        ("history-read --out o --from 0" + device, "numbers from 1"),
        ("history-read --out o --count 0" + device, "numbers from 1"),
        ("history-read --out o --for 5" + device, "--for requires --follow"),
        ("history-read --follow --for 86401" + device, "--for is a number of seconds"),
        ("blink --led-on 100" + device, "go together"),
        ("blink --led-on 100 --led-off 100 --beep" + device, "cannot be used with --beep"),
        ("blink --led-on 0 --led-off 100" + device, "milliseconds"),
        ("blink --for 0" + device, "--for is a number of seconds"),
        ("doctor --catalogue c", "--catalogue requires --tray"),
        ("doctor --journal j", "--journal requires --tray"), ("doctor --for 3601", "at most 3600"),
        ("simulate --for 604801", "at most 604800"),
    ]

    private static let journal = [
        ("history --csv --json", "not both"), ("place --simulated --journal j", "not both"),
        ("history --export e --delete-before 2026-01-01", "cannot be combined"),
        ("history --report r.html", "--report requires --run"),
        ("history --run latest --report r.html --csv", "cannot be combined"),
        ("history --run latest --report r.html --export e", "cannot be combined"),
        ("history --run latest --report r.html --delete-before 2026-01-01", "cannot be combined"),
        ("history --yes", "--yes requires --delete-before"), ("filter --id a --device id:b", "not both"),
        ("filter --id ''", "--id needs"),
        ("filter --since 2026-02-01T12:00:00Z --until 2026-02-01T11:59:59Z", "before --since"),
        ("filter --since 2026-02-01 --until 2026-01-31", "before --since"),
        ("outbox --retry a --drop b", "not both"), ("outbox --hook h", "requires --retry or --drop"),
    ]

    private static let files = [
        ("show k.pem --key sk --format code", "does not belong in code"), ("validate", "no file is given"),
        ("validate a --json --format text", "contradict"), ("validate a --sarif-help u", "--format sarif"),
        ("validate a --format json --sarif-category c", "--format sarif"),
        ("validate a --require-signed-catalogue k", "requires --catalogue"),
        ("sign c --key k --expires 1 --counter 0", "from 1 on"), ("match --battery 101", "0 to 100"),
        ("match --battery=-1", "0 to 100"), ("match --maker nobody", "nobody"),
    ]

    @Test(arguments: tray + flash + radio + journal + files)
    func `that contradict each other or lack another one are refused`(_ line: String, _ words: String) {
        do {
            try Self.parse(line)
            Issue.record("taken")
        } catch {
            let message = Batch.message(for: error)
            #expect(message.contains(words), "\(message)")
        }
    }

    @Test(arguments: [
        "batch t.yaml", "batch --rule name=A --catalogue c --beta --release 2",
        "run --max-failures 0 --links 1",
        "run --max-failures 1000 --links 64", "units --expected 1 --scan-for 0.1", "install --attempts 1",
        "units --expected 1000 --scan-for 3600", "basic --timeout 1", "basic --timeout 86400",
        "flash --from-catalogue --beta --release 2 --catalogue c" + device,
        "filter --since 2026-02-01 --until 2026-02-01", "match --battery 0", "match --battery 100",
        "filter --since 2026-02-01T12:00:00Z --until 2026-02-01", "simulate --for 604800",
    ])
    func `are accepted up to their limits`(_ line: String) throws { try Self.parse(line) }
}
