import CommandKit
import Testing
import UpdateModel

@testable import TrayCommands

@Suite struct `The next step of a unit of a tray` {
    @Test(arguments: [
        (
            "bring the beacon closer, then run the same command again; it starts at the first byte",
            "bring the beacon closer, then run the same command again with --retry-failed; it starts at the first byte"
        ),
        (
            "run the same command again with --upload-window 1",
            "run the same command again with --retry-failed and --upload-window 1"
        ),
        (
            "run the same command again without --packet-size",
            "run the same command again with --retry-failed without --packet-size"
        ),
        (
            "report it with the output of the same command and --log-level debug",
            "report it with the output of the same command and --log-level debug"
        ),
        (
            "run the same command with --device A0:00:00:00:00:01/public --bootloader C0:00:00:00:00:01, if so",
            "run `beacon-dfu flash my.zip --device A0:00:00:00:00:01/public --bootloader C0:00:00:00:00:01`, if so"
        ),
        (
            "run the same command with --device A0:00:00:00:00:01 --bootloader C0:00:00:00:00:01 instead of --bootloader name:B",
            "run `beacon-dfu flash my.zip --device A0:00:00:00:00:01 --bootloader C0:00:00:00:00:01`"
        ),
        (
            "if all its firmware reports '1', that text proves nothing: use --no-verify",
            "if all its firmware reports '1', that text proves nothing: update this unit alone: `beacon-dfu flash my.zip --no-verify --device ADDRESS`"
        ),
        (
            "if all its firmware reports 1, flash with --expect-version '1 a'",
            "if all its firmware reports 1, update this unit alone: `beacon-dfu flash my.zip --expect-version '1 a' --device ADDRESS`"
        ),
    ])
    func `continues the run, which the same command alone does not`(_ step: String, _ words: String) {
        #expect(
            BatchPlanner.onTray(step, after: .device.linkLost, sending: "my.zip", isOwnRun: true) == words)
    }

    /// Options of `scan` and of the search of one beacon are none of a tray.
    @Test func `is that of the tray if its code has one`() {
        let code = FailureCode.device.deviceNotFound
        let step = "\(code.nextStep.withOptions); wake it"
        let words = BatchPlanner.onTray(step, after: code, sending: nil, isOwnRun: true)
        #expect(words == "check that the unit is there and switched on, then use --retry-failed; wake it")
    }

    @Test func `after another version names no option that a tray lacks`() {
        let code = FailureCode.device.versionMismatch
        let words = BatchPlanner.onTray(code.nextStep.withOptions, after: code, sending: nil, isOwnRun: true)
        #expect(
            words == "compare `beacon-dfu info --device ADDRESS` with the package; `beacon-dfu flash` with "
                + "--expect-version updates a unit that numbers its versions differently")
    }

    @Test func `of an order has no option of a bench's own run`() {
        let step = "run the same command again"
        #expect(BatchPlanner.onTray(step, after: nil, sending: nil, isOwnRun: false) == step)
    }
}
