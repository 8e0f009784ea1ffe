extension Explanation {
    /// Failures of sessions with beacons.
    package static let sessions = [
        Explanation(
            "session-not-offered", .failed,
            "The beacon does not have the service for such sessions. It may be of another make, or run its "
                + "bootloader.", next: "see what it has with `beacon-dfu info --device ADDRESS`"),
        Explanation(
            "password-wrong", .failed,
            "The beacon has another password or PIN. A KBeacon proves its own password first, so nothing more "
                + "was sent to it; a Feasycom beacon was sent the PIN. A wrong one is tried once in a run.",
            next: "put the right one into the file of --secrets, under `devices`"),
        Explanation(
            "password-missing", .failed,
            "The beacon advertises that it requires a PIN, and none is given for it. Nothing was written to it.",
            next: "put it into a file of secrets, and give that with --secrets"),
        Explanation(
            "authentication-refused", .failed,
            "The beacon has proven that it knows the password, but refuses our proof of the same password. That "
                + "should not happen.",
            next: "switch the beacon off and on, then try again with --log-level debug"),
        Explanation(
            "no-dfu-on-this-hardware", .failed,
            "The beacon itself reports that it cannot be updated over the air: a KBeacon of the first "
                + "generation by its model, which has to contain NRF52XX, one of the second by a bit of its "
                + "capabilities. Nothing on it was changed.",
            next: "see what it is with `beacon-dfu info --device ADDRESS`, and ask its maker"),
        Explanation(
            "session-busy", .tryAgain,
            "Another request is in progress over the same session, which takes one at a time.",
            next: "wait until it is done"),
        Explanation(
            "session-closed", .tryAgain, "The session was closed, or never opened.",
            next: "give the command again"),
        Explanation(
            "beacon-busy", .tryAgain,
            "The beacon reports that it is busy, with another program or with itself.",
            next: "wait a moment, then give the command again"),
        Explanation(
            "not-supported", .failed,
            "The beacon does not support the request.",
            next: "see what it supports with `beacon-dfu info --device ADDRESS`"),
        Explanation(
            "refused-by-device", .failed,
            "The beacon refused a request; the cause is its own number, as its maker documents it.",
            next: "see what it supports with `beacon-dfu info --device ADDRESS`"),
        Explanation(
            "answer-malformed", .failed,
            "The beacon sent data that does not belong to the protocol, or was cut off. The data was not used.",
            next: "give the command again; if it persists, report it with --log-level debug"),
        Explanation(
            "answer-too-long", .failed,
            "The beacon's answer is longer than its protocol allows.",
            next: "give the command again; if it persists, report it with --log-level debug"),
        Explanation(
            "settings-invalid", .badFile,
            "The settings file is not valid.",
            next: "correct the place that the message names; docs/formats/settings.md has the format"),
        Explanation(
            "settings-changed", .done,
            "A setting of the beacon is not as it was before the update.",
            next: "restore it with `beacon-dfu config write FILE --device ADDRESS`"),
        Explanation(
            "settings-unread", .done,
            "The settings of the beacon could not be read, before the update or after it, so it is not known "
                + "whether they were kept.",
            next: "look at it with `beacon-dfu config read --device ADDRESS`"),
        Explanation(
            "setting-unchecked", .done,
            "The beacon has a setting whose key this program does not know, or whose value its maker does not "
                + "name. The file holds it under `unchecked`, as the beacon reported it; it is compared as it is, and "
                + "written only if a beacon has another value.",
            next: "leave it as it is, or delete it from the file"),
        Explanation(
            "settings-written", .done,
            "The unit's settings were written after its update, and the unit shows them.",
            next: "no action is needed"),
        Explanation(
            "settings-not-meant", .done,
            "None of the tray's settings files is for this unit's maker and generation; its settings are left "
                + "as they are.",
            next: "add a file for it under `config`, or ignore this"),
        Explanation(
            "settings-differ", .failed,
            "The beacon's settings differ from the file.",
            next: "write the file to it with `beacon-dfu config write FILE --device ADDRESS`"),
        Explanation(
            "settings-for-others", .failed,
            "The file has settings for another kind of beacon, whose keys mean something else. Nothing was "
                + "written.",
            next: "make a file from a beacon of this kind with `beacon-dfu config read --device ADDRESS`"),
        Explanation(
            "setting-out-of-range", .failed,
            "The file sets a value that the beacon does not support, or that its maker does not name. Values "
                + "that a beacon has already may be anything. Nothing was written.",
            next: "change the value to what the message allows"),
        Explanation(
            "locks-beacon-away", .failed,
            "With these settings no one could connect to the beacon, or hear it, any more. Nothing was written.",
            next: "leave that setting out of the file, or insist with --force and the name in the message"),
        Explanation(
            "settings-not-taken", .failed,
            "The beacon accepted the settings, but reports other values when they are read again. Settings that "
                + "the message does not name are as they should be.",
            next: "see what the beacon supports with `beacon-dfu info --device ADDRESS`, and change the file"),
        Explanation(
            "reset-unconfirmed", .usage,
            "A reset cannot be undone, so the address has to be given a second time. Nothing was done.",
            next: "give --confirm with the beacon's address"),
        Explanation(
            "restore-untried", .done,
            "The command that restores the factory settings of a Feasycom beacon is from the maker's guide for "
                + "a module. It was never tried on a beacon, and those settings, including the PIN, are not public.",
            next: "look at the beacon with `beacon-dfu config read --device ADDRESS`"),
        Explanation(
            "new-password-missing", .usage,
            "No new password was given for the beacon. It comes from a file, a descriptor or a terminal, and "
                + "never from the command line, where others would see it. Nothing was done.",
            next: "give --new-secrets or --new-descriptor, or run the command on a terminal without --json"),
        Explanation(
            "new-password-unusable", .usage,
            "The new password is not valid for a KBeacon: it has 8 to 16 bytes, characters of ASCII without "
                + "spaces, quotes and backslashes, which some beacons drop. Nothing was done.",
            next: "choose another one"),
        Explanation(
            "password-not-changed", .failed,
            "The beacon still has its old password, as a session showed. The file of --record has both.",
            next: "delete that file, and give the command again"),
        Explanation(
            "password-unproven", .tryAgain,
            "The new password was sent to the beacon, which could not be reached afterwards: it has the old one "
                + "or the new one, and both are in the file of --record.",
            next: "open a session with either, as the message says"),
        Explanation(
            "password-lost", .failed,
            "The beacon's proof matches neither the old password nor the new one; both are in the file of "
                + "--record. Only the password that it has opens a session with it.",
            next:
                "take the battery out for a moment and try both again; after that only its maker may know a way"
        ),
        Explanation(
            "history-short", .done,
            "The beacon ended its records before it had sent as many as it had announced. It may have "
                + "overwritten the oldest of them meanwhile. What it sent is in the file.",
            next: "read them once more, and compare"),
        Explanation(
            "secrets-exposed", .badFile,
            "Others may read the file of passwords: its mode gives rights to the group or to everyone, or the "
                + "file is another user's (refused even if root could read it). Root and, under sudo, the user who "
                + "called it may own it.",
            next: "let only its owner read it: `chmod 600` and the file that the message names"),
        Explanation(
            "capture-has-proof", .done,
            "The recording of --capture contains a handshake from which a password can be guessed: anyone with "
                + "the file can try passwords as fast as a computer can, without the beacon.",
            next: "protect the recording like the passwords, or give the beacon a long one"),
        Explanation(
            "capture-has-pin", .done,
            "The recording of --capture contains the PIN of a Feasycom beacon as plain text, which is how it is "
                + "sent.",
            next: "protect the recording like the PIN, or give the beacon another one"),
        Explanation(
            "secrets-empty", .done,
            "The file of passwords has no entries, so the factory's are tried.",
            next: "add entries, as docs/formats/secrets.md shows"),
        Explanation(
            "secrets-invalid", .badFile,
            "The file of passwords is not valid. Its content is never shown, only the place of the error.",
            next: "correct the place that the message names; docs/formats/secrets.md has the format"),
    ]
}
