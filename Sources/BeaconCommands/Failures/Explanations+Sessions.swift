extension Explanation {
    /// What goes wrong with beacons that want to be spoken to.
    static let sessions = [
        Explanation(
            "session-not-offered", .failed,
            "The beacon does not have the service that such sessions are held over. It may be of another make, or run its "
                + "bootloader.", next: "see what it has with `beacon-dfu info --device ADDRESS`"),
        Explanation(
            "password-wrong", .failed,
            "The beacon has another password or PIN. A KBeacon proves its own first, so that nothing was sent to it after that, "
                + "and it counts no attempt of ours. A wrong password is tried once in a run.",
            next: "put the right one into the file of --secrets, under `devices`"),
        Explanation(
            "authentication-refused", .failed,
            "The beacon has proven that it knows the password, and refuses our proof of the same. That should not happen.",
            next: "switch the beacon off and on, then try again with --log-level debug"),
        Explanation(
            "no-dfu-on-this-hardware", .failed,
            "The beacon cannot be updated over the air, as it says itself: a KBeacon of the first generation by its model, which has "
                + "to contain NRF52XX, one of the second by a bit of its capabilities. Nothing was written.",
            next: "see what it is with `beacon-dfu info --device ADDRESS`, and ask its maker"),
        Explanation(
            "session-busy", .tryAgain,
            "Something else is being asked of the beacon over the same session; one thing at a time is.",
            next: "wait until that is over"),
        Explanation(
            "session-closed", .tryAgain, "The session was closed, or never opened.",
            next: "give the command again"),
        Explanation(
            "beacon-busy", .tryAgain, "The beacon says that it is busy, with another program or with itself.",
            next: "wait a moment, then give the command again"),
        Explanation(
            "not-supported", .failed, "The beacon does not have what was asked of it.",
            next: "see what it can with `beacon-dfu info --device ADDRESS`"),
        Explanation(
            "refused-by-device", .failed,
            "The beacon has refused what it was asked for; the cause is its own number, as its maker documents it.",
            next: "see the message for the reason; with --log-level debug the log has what was asked"),
        Explanation(
            "answer-malformed", .failed,
            "What the beacon sent does not belong to the protocol, or was cut off. Nothing was made of it.",
            next: "give the command again; where it stays, report it with --log-level debug"),
        Explanation(
            "answer-too-long", .failed, "The beacon's answer is longer than any that its protocol has.",
            next: "give the command again; where it stays, report it with --log-level debug"),
        Explanation(
            "secrets-exposed", .badFile,
            "Others may read the file of passwords: its mode gives rights to the group or to everybody.",
            next: "make it yours alone: chmod 600 FILE"),
        Explanation(
            "capture-has-proof", .done,
            "The recording of --capture has a handshake in it, by which a password can be guessed: whoever has the file can try "
                + "as many as a computer can, without the beacon.",
            next: "keep the recording as you keep the passwords, or give the beacon a long one"),
        Explanation(
            "secrets-empty", .done, "The file of passwords has no entries, so that the factory's are tried.",
            next: "add entries, as docs/formats/secrets.md shows"),
        Explanation(
            "secrets-invalid", .badFile,
            "The file of passwords is not what it should be. What stands there is never shown, only where.",
            next: "correct the place that the message names; docs/formats/secrets.md has the format"),
    ]
}
