package import UpdateModel

/// Command lines, files of options, outputs, and warnings of single commands.
package struct CommandCodes: FailureCodeGroup {
    package static let topic = FailureTopic.commandLine

    package let configInvalid = FailureCode(
        "config-invalid", .badFile,
        "A default in a file or an environment variable is not valid. No command runs with only part of "
            + "its defaults. The exit code is 65 for a file, and 64 for an environment variable.",
        next:
            "correct the place that the message names; BEACON_DFU_CONFIG= ignores every file for one command")
    package let scenarioInvalid = FailureCode(
        "scenario-invalid", .badFile, "The scenario file of simulated beacons cannot be used.",
        next: "correct the place that the message names; docs/scenarios.md lists every key")
    package let stateInvalid = FailureCode(
        "state-invalid", .badFile,
        "A state file of simulated beacons was not written by this program, or is damaged.",
        next: "remove the folder that the scenario's `state` names; the beacons then start with a new state")
    package let stateUnusable = FailureCode(
        "state-unusable", .noFile,
        "The state folder of simulated beacons cannot be created, or a file in it cannot be opened.",
        next: "correct `state` in the scenario, or create its parent folder with write permission")
    package let filterInvalid = FailureCode(
        "filter-invalid", .badFile,
        "The file with named filters cannot be used, or has no filter of that name.",
        next:
            "correct the place that the message names; each name has a list of conditions, written as for "
            + "--filter")
    package let rulesInvalid = FailureCode(
        "rules-invalid", .badFile, "The rules file cannot be used.",
        next: "correct the place that the message names; `beacon-dfu validate --list-rules` lists every rule")
    package let catalogueInvalid = FailureCode(
        "catalogue-invalid", .badFile, "The catalogue cannot be used.",
        next: "correct the place that the message names; docs/formats/catalogue.md lists every key")
    package let targetInvalid = FailureCode(
        "target-invalid", .usage, "The description of the target cannot be read.",
        next:
            "write it as key=value pairs separated by commas, such as "
            + "hardware=52,version=10000,softdevice=0xB7")
    package let fileNotWritable = FailureCode(
        "file-not-writable", .noFile, "The file cannot be written.",
        next: "check the folder, its permissions, and the free space on the disk")
    package let outputIsInput = FailureCode(
        "output-is-input", .usage,
        "The output file is one of the files that the command reads: firmware, a key, a scenario. It would "
            + "be lost.",
        next: "give another name for the output file; --help shows the order of the arguments")
    package let fileExists = FailureCode(
        "file-exists", .noFile,
        "A file of this name exists already and is not of the kind to be written, so its content would be "
            + "lost. A new key never replaces anything: the file may be a key that beacons depend on.",
        next: "choose another name, move the file away, or, if it may be lost, give --overwrite")
    package let wouldDestroyKey = FailureCode(
        "would-destroy-key", .usage,
        "The output file exists already and holds a key. Without the key no package could be signed again "
            + "for the beacons that trust it, so it is kept, whatever the options say.",
        next: "choose another name, or move the key away")
    package let notServed = FailureCode(
        "not-served", .failed, "The simulated beacon could not answer a client, and closed the link.",
        next: "see the reason in the message")
    package let keyFileExposed = FailureCode(
        "key-file-exposed", .done,
        "Other users of this machine can read the file with a secret key. Anyone with a signing key can "
            + "sign packages for every beacon that trusts it; anyone with an AES key can read firmware and "
            + "encrypt it.",
        next: "chmod 600 the file; if others may have read it, the beacons need a bootloader with a new key")
    package let privateKeyShown = FailureCode(
        "private-key-shown", .done,
        "The private key was printed, as --key sk requests. It is now in the terminal's scrollback, and "
            + "perhaps in a log.",
        next: "no action is needed if only its owner could see it")
    package let encryptionKeyInvalid = FailureCode(
        "encryption-key-invalid", .usage,
        "The key or the initialisation vector for AES-128 is not 16 bytes in hexadecimal. Neither is ever "
            + "printed.",
        next: "give exactly the 32 hexadecimal digits that the bootloader was built with")
    package let keyOnCommandLine = FailureCode(
        "key-on-command-line", .done,
        "A key was given as an option. Every user of the machine can see it while the program runs; "
            + "afterwards it stays in the shell's history.",
        next: "put the key into a file that only you can read, and give --key-file")
    package let outputFailed = FailureCode(
        "output-failed", .noFile,
        "The output could not be written. The command has done everything else, as the message says.",
        next: "free space on the disk that takes the output, or write it elsewhere")
    package let logCutShort = FailureCode(
        "log-cut-short", .done,
        "The file given with --log-file could not be written any further, usually because its disk is "
            + "full. The command continues.",
        next: "free space on the disk that takes the log, or write it elsewhere")
    package let usage = FailureCode(
        "usage", .usage, "The program does not understand the command line.",
        next: "look at the options of the command with --help")
    package let timedOut = FailureCode(
        "timed-out", .tryAgain,
        "The time limit of --timeout passed before the command was done. Work in progress was stopped as "
            + "with Ctrl-C.",
        next: "run the same command again, with a longer --timeout; it resumes where the protocol allows",
        unit: .aborted)
    package let optionUnused = FailureCode(
        "option-unused", .usage,
        "An option was given that has no effect on firmware of this kind, so it would have been ignored.",
        next: "leave the option out, or see whether this is the right file")
    package let adapterDeaf = FailureCode(
        "adapter-deaf", .done,
        "Another program scanned with the same adapter; if it was killed, its scan continues for up to 10 "
            + "s. Until that scan ends, beacons that it has reported are not reported again.",
        next: "no action is needed; if it keeps happening, end the other scan (`bluetoothctl scan off`)",
        topic: .devices)
    package let nothingSelected = FailureCode(
        "nothing-selected", .nothingToDo,
        "A list of beacons was shown, and none was chosen. Nothing was done.",
        next: "run the same command again, or name the beacon with --device", topic: .devices)
    package let identityAsked = FailureCode(
        "identity-asked", .done,
        "While waiting for a beacon, the program connected to one that does not advertise its identity, "
            + "and asked for it. If it is another beacon, the connection ends at once and is not repeated.",
        next: "no action is needed; select the beacon by its address to leave others alone", topic: .devices)
    package let wouldLockBeacon = FailureCode(
        "would-lock-beacon", .failed,
        "Kontakt.io's beacons up to version 3.1 drop a client that connects and writes no password for 30 "
            + "s, and then refuse every connection for 20 minutes. They advertise their version, battery "
            + "and id.",
        next: "read them with `beacon-dfu scan`; to connect anyway, give --force lock-risk to `info`",
        topic: .devices, unit: .error)
    package let batteryUnknown = FailureCode(
        "battery-unknown", .done,
        "Beacons of this kind advertise their battery in one of several frames sent in turn, and that "
            + "frame was not heard. The update begins without knowing whether the battery lasts.",
        next: "no action is needed; to know it beforehand, bring the adapter nearer or wait longer",
        topic: .devices)
    package let versionUnknown = FailureCode(
        "version-unknown", .done,
        "Beacons of this kind advertise their firmware version in one of several frames sent in turn, and "
            + "that frame was not heard. The version before the update can then only be read from the "
            + "beacon itself.",
        next: "no action is needed; to know it beforehand, bring the adapter nearer or wait longer",
        topic: .devices)
    package let iBeaconTrigger = FailureCode(
        "ibeacon-trigger", .done,
        "A KKM beacon that was moved or clicked advertises its iBeacon UUID with a small number added for a "
            + "while. Nothing with the exact UUID was heard, so this beacon is taken for the selected one.",
        next: "no action is needed; select it by its address to avoid this warning", topic: .devices)
    package let imageGap = FailureCode(
        "image-gap", .done,
        "The Intel HEX has addresses far apart, and the image has FF for everything between them: it may "
            + "be much longer than the program. Often a bootloader's settings or a second program were "
            + "merged in.",
        next:
            "pack the .hex that the build wrote, without merged parts; if the gap is intended, no action "
            + "is needed",
        topic: .findings)
    package let earlierNotSUOTA = FailureCode(
        "earlier-not-suota", .failed,
        "An earlier release is not an image that beacons distinguish from others, such as for SUOTA or MCUboot; only "
            + "those are compared.",
        next: "name the images with --earlier, or the folder that has only them", topic: .release)
    package let settingsInvalid = FailureCode(
        "settings-invalid", .badFile, "The settings file is not valid.",
        next: "correct the place that the message names; docs/formats/settings.md has the format",
        topic: .sessions)
    package let settingUnchecked = FailureCode(
        "setting-unchecked", .done,
        "The beacon has a setting whose key this program does not know, or whose value its maker does not "
            + "name. The file holds it under `unchecked`, as the beacon reported it; it is compared as it "
            + "is, and written only if a beacon has another value.",
        next: "leave it as it is, or delete it from the file", topic: .sessions)
    package let settingsNotMeant = FailureCode(
        "settings-not-meant", .done,
        "None of the tray's settings files is for this unit's maker and generation; its settings are left "
            + "as they are.",
        next: "add a file for it under `config`, or ignore this", topic: .sessions)
    package let settingsDiffer = FailureCode(
        "settings-differ", .failed, "The beacon's settings differ from the file.",
        next: "write the file to it with `beacon-dfu config write FILE --device ADDRESS`", topic: .sessions)
    package let resetUnconfirmed = FailureCode(
        "reset-unconfirmed", .usage,
        "A reset cannot be undone, so the address has to be given a second time. Nothing was done.",
        next: "give --confirm with the beacon's address", topic: .sessions)
    package let resetUnproven = FailureCode(
        "reset-unproven", .tryAgain,
        "The reset was sent to the beacon, but no session with the factory password has shown whether it took "
            + "place. After a reset the beacon has its factory password and name.",
        next: "see with `beacon-dfu info --device ADDRESS` which password and name the beacon has",
        topic: .sessions)
    package let restoreUntried = FailureCode(
        "restore-untried", .done,
        "The command that restores the factory settings of a Feasycom beacon is from the maker's guide for "
            + "a module. It was never tried on a beacon, and those settings, including the PIN, are not "
            + "public.",
        next: "look at the beacon with `beacon-dfu config read --device ADDRESS`", topic: .sessions)
    package let newPasswordMissing = FailureCode(
        "new-password-missing", .usage,
        "No new password was given for the beacon. It comes from a file, a descriptor or a terminal, and "
            + "never from the command line, where others would see it. Nothing was done.",
        next: "give --new-secrets or --new-descriptor, or run the command on a terminal without --json",
        topic: .sessions)
    package let newPasswordUnusable = FailureCode(
        "new-password-unusable", .usage,
        "The new password is not valid for a KBeacon: it has 8 to 16 bytes, characters of ASCII without "
            + "spaces, quotes and backslashes, which some beacons drop. Nothing was done.",
        next: "choose another one", topic: .sessions)
    package let passwordNotChanged = FailureCode(
        "password-not-changed", .failed,
        "The beacon still has its old password, as a session showed. The file of --record has both.",
        next: "delete that file, and give the command again", topic: .sessions)
    package let passwordUnproven = FailureCode(
        "password-unproven", .tryAgain,
        "The new password was sent to the beacon, which could not be reached afterwards: it has the old "
            + "one or the new one, and both are in the file of --record.",
        next: "open a session with either, as the message says", topic: .sessions)
    package let passwordLost = FailureCode(
        "password-lost", .failed,
        "The beacon's proof matches neither the old password nor the new one; both are in the file of "
            + "--record. Only the password that it has opens a session with it.",
        next:
            "take the battery out for a moment and try both again; after that only its maker may know a way",
        topic: .sessions)
    package let historyShort = FailureCode(
        "history-short", .done,
        "The beacon ended its records before it had sent as many as it had announced. It may have "
            + "overwritten the oldest of them meanwhile. What it sent is in the file.",
        next: "read them once more, and compare", topic: .sessions)
    package let secretsExposed = FailureCode(
        "secrets-exposed", .badFile,
        "Others may read the file of passwords: its mode gives rights to the group or to everyone, or the "
            + "file is another user's (refused even if root could read it). Root and, under sudo, the user "
            + "who called it may own it.",
        next: "let only its owner read it: `chmod 600` and the file that the message names", topic: .sessions)
    package let captureHasProof = FailureCode(
        "capture-has-proof", .done,
        "The recording of --capture contains a handshake from which a password can be guessed: anyone with "
            + "the file can try passwords as fast as a computer can, without the beacon.",
        next: "protect the recording like the passwords, or give the beacon a long one", topic: .sessions)
    package let captureHasPin = FailureCode(
        "capture-has-pin", .done,
        "The recording of --capture contains the PIN of a Feasycom beacon as plain text, which is how it "
            + "is sent.",
        next: "protect the recording like the PIN, or give the beacon another one", topic: .sessions)
    package let secretsEmpty = FailureCode(
        "secrets-empty", .done, "The file of passwords has no entries, so the factory's are tried.",
        next: "add entries, as docs/formats/secrets.md shows", topic: .sessions)
    package let secretsInvalid = FailureCode(
        "secrets-invalid", .badFile,
        "The file of passwords is not valid. Its content is never shown, only the place of the error.",
        next: "correct the place that the message names; docs/formats/secrets.md has the format",
        topic: .sessions)
}

extension FailureCode { package static let command = CommandCodes() }
