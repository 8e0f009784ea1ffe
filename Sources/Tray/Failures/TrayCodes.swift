package import UpdateModel

package struct TrayCodes: FailureCodeGroup {
    package static let topic = FailureTopic("Trays")

    package let adapterSingle = FailureCode(
        "adapter-single", .usage, "Several adapters are named, and the command uses one.",
        next: "name one; `batch`, `doctor` and `beacon-dfu-station work` take several")
    package let benchCheck = FailureCode(
        "bench-check", .failed, "A check of the bench failed; the run begins all the same.",
        next: "`beacon-dfu doctor --tray` shows what to do about it")
    package let adapterTaken = FailureCode(
        "adapter-taken", .tryAgain,
        "Another run of many beacons is using this adapter. Each run would mistake the other's beacons "
            + "for neighbours of its own.",
        next: "wait until it ends, or use another adapter")
    package let trayInvalid = FailureCode(
        "tray-invalid", .badFile, "The tray file cannot be used.",
        next: "correct the place that the message names; docs/formats/tray.md lists every key")
    package let trayEmpty = FailureCode(
        "tray-empty", .nothingToDo,
        "The run would have no unit: no beacon in range matches this tray, or every slot was skipped when "
            + "the labels were scanned.",
        next: "check with `beacon-dfu scan` what is in range, and what it advertises; run the same command "
            + "again to scan the labels of skipped slots", mayPass: true)
    package let trayOverrun = FailureCode(
        "tray-overrun", .failed,
        "More beacons match than expected: those of another bench are in range too, or a condition matches "
            + "too many. Nothing was done to any of them.",
        next: "make the conditions narrower, for example with rssi>-60, name the beacons in a tray file, or "
            + "raise --expected")
    package let slotEmpty = FailureCode(
        "slot-empty", .badFile, "A slot of the tray has no beacon.",
        next: "fill it with --codes, or give it a `device` in the tray file; an interrupted run whose slots "
            + "were filled continues with --resume")
    package let codeInvalid = FailureCode(
        "code-invalid", .badFile, "A line in the list of codes is not a code.",
        next: "correct the line that the message names; docs/formats/tray.md describes codes")
    package let codeRefused = FailureCode(
        "code-refused", .badFile,
        "A code was read twice, names a slot that does not exist, or belongs to a beacon that was not heard "
            + "or has passed already.",
        next: "check the label again; --allow accepts such codes")
    package let reportFormat = FailureCode(
        "report-format", .usage,
        "The extension of a report's file name gives its format, and this name has none that is known.",
        next: "let it end with .html, .csv, .kkm.csv, .json or .xml")
    package let runMissing = FailureCode(
        "run-missing", .nothingToDo, "The journal has no run of this tray that can be continued.",
        next: "start one: the same command without --resume and --retry-failed", mayPass: true)
    package let runUnknown = FailureCode(
        "run-unknown", .nothingToDo, "The id matches no run of the journal, or more than one.",
        next: "use a whole id from the column `run` of `beacon-dfu history --csv`, or `latest`")
    package let runComplete = FailureCode(
        "run-complete", .nothingToDo, "The latest run of this tray has nothing left to do.",
        next: "--retry-failed takes units that do not have their firmware; leave both options out for a new "
            + "run", mayPass: true)
    package let runSuperseded = FailureCode(
        "run-superseded", .done,
        "A run of this tray was interrupted, and a new one was started instead of continuing it. Units that "
            + "have their firmware are recognised.",
        next: "no action is needed; next time --resume continues the interrupted run")
    package let fileChanged = FailureCode(
        "file-changed", .badFile,
        "The file that was being sent to a unit has changed since. The data in the unit's bootloader does "
            + "not match the new file.",
        next: "restore the file that the journal names by its SHA-256, or update the unit by itself with "
            + "`flash`")
    package let versionNotShown = FailureCode(
        "version-not-shown", .failed,
        "The unit confirmed the image and came back in its application, but its version, if it shows one, "
            + "does not prove that the new one runs. A unit of a tray passes when its new version was read "
            + "back.",
        next: "if such units cannot show it, accept that with --accept reappeared; "
            + "`beacon-dfu info --device ADDRESS` shows what the unit reports")
    package let labelMismatch = FailureCode(
        "label-mismatch", .failed, "The unit reports another id than its label.",
        next: "find out which unit it is; its label, or its place in the list, belongs to another unit")
    package let unitTime = FailureCode(
        "unit-time", .failed,
        "The unit took longer than the tray's `unit_s` allows, all its attempts together.",
        next: "check in the report where the time went, then --retry-failed", isUnreached: true)
    package let trayTime = FailureCode(
        "tray-time", .tryAgain,
        "The tray took longer than its `tray_s` allows. Units that were not finished stay open.",
        next: "continue with --resume", onTray: "continue with --resume")
    package let skipped = FailureCode(
        "skipped", .failed, "A person left the unit out of the run.",
        next: "--retry-failed takes it up again")
    package let cutOff = FailureCode(
        "cut-off", .tryAgain,
        "The program, or the machine, ended in the middle of the attempt. What was done is in the journal.",
        next: "continue with --resume")
    package let installedBefore = FailureCode(
        "installed-before", .done,
        "An earlier session of the run told the unit to install the firmware and ended before it could "
            + "check. The unit reports that it has it.",
        next: "no action is needed: its version was read")
    package let goldenFailed = FailureCode(
        "golden-failed", .failed,
        "The first unit has to pass before the others begin, and it failed: its fault may affect all of "
            + "them.",
        next: "find out why it failed, correct that, then run the same command with --retry-failed",
        isBenchHold: true)
    package let consecutiveFailures = FailureCode(
        "consecutive-failures", .failed,
        "Several units in a row have failed, so no further unit was started.",
        next: "find out what they have in common; then --resume, with another limit by --max-failures",
        isBenchHold: true)
    package let failureShare = FailureCode(
        "failure-share", .failed, "Too many of the last units have failed, so no further unit was started.",
        next: "find out what they have in common; then --resume, with another limit by --max-failures",
        isBenchHold: true)
    package let sameCause = FailureCode(
        "same-cause", .failed,
        "Several units have ended for the same reason, so no further unit was started.",
        next: "correct that cause; then --resume, with another limit by --max-failures", isBenchHold: true)
    package let paused = FailureCode(
        "paused", .tryAgain, "A person has paused the tray: no further unit was started.",
        next: "continue with --resume", isBenchHold: true)
    package let stopping = FailureCode(
        "stopping", .interrupted, "A stop of the run was requested.",
        next: "wait for the units that run, or stop the program once more to end them at a safe point")
    package let settingsWritten = FailureCode(
        "settings-written", .done,
        "The unit's settings were written after its update, and the unit shows them.",
        next: "no action is needed", topic: .sessions)
}

extension FailureCode { package static let tray = TrayCodes() }
