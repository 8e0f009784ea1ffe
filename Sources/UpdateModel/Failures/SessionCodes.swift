/// Sessions with a beacon's application: passwords and settings.
public struct SessionCodes: FailureCodeGroup {
    public static let topic = FailureTopic.sessions

    public let notOffered = FailureCode(
        "session-not-offered", .failed,
        "The beacon does not have the service for such sessions. It may be of another make, or run its "
            + "bootloader.",
        next: "see what it has with \(task: .info, .device, "ADDRESS")")
    public let passwordWrong = FailureCode(
        "password-wrong", .failed,
        "The beacon has another password or PIN. A KBeacon proves its own password first, so nothing more "
            + "was sent to it; a Feasycom beacon was sent the PIN. A wrong one is tried once in a run.",
        next: "put the right one into the file of \(.secrets), under `devices`")
    public let passwordMissing = FailureCode(
        "password-missing", .failed,
        "The beacon advertises that it requires a PIN, and none is given for it. Nothing was written to it.",
        next: "put it into a file of secrets, and give that with \(.secrets)")
    public let authenticationRefused = FailureCode(
        "authentication-refused", .failed,
        "The beacon has proven that it knows the password, but refuses our proof of the same password. "
            + "That should not happen.",
        next: "switch the beacon off and on, then try again with \(.logLevel, "debug")")
    public let noDFUOnThisHardware = FailureCode(
        "no-dfu-on-this-hardware", .failed,
        "The beacon itself reports that it cannot be updated over the air: a KBeacon of the first "
            + "generation by its model, which has to contain NRF52XX, one of the second by a bit of its "
            + "capabilities. Nothing on it was changed.",
        next: "see what it is with \(task: .info, .device, "ADDRESS"), and ask its maker")
    public let busy = FailureCode(
        "session-busy", .tryAgain,
        "Another request is in progress over the same session, which takes one at a time.",
        next: "wait until it is done")
    public let closed = FailureCode(
        "session-closed", .tryAgain, "The session was closed, or never opened.",
        next: "give the command again")
    public let beaconBusy = FailureCode(
        "beacon-busy", .tryAgain, "The beacon reports that it is busy, with another program or with itself.",
        next: "wait a moment, then give the command again")
    public let notSupported = FailureCode(
        "not-supported", .failed, "The beacon does not support the request.",
        next: "see what it supports with \(task: .info, .device, "ADDRESS")")
    public let refusedByDevice = FailureCode(
        "refused-by-device", .failed,
        "The beacon refused a request; the cause is its own number, as its maker documents it.",
        next: "see what it supports with \(task: .info, .device, "ADDRESS")")
    public let answerMalformed = FailureCode(
        "answer-malformed", .failed,
        "The beacon sent data that does not belong to the protocol, or was cut off. The data was not used.",
        next: "give the command again; if it persists, report it with \(.logLevel, "debug")")
    public let answerTooLong = FailureCode(
        "answer-too-long", .failed, "The beacon's answer is longer than its protocol allows.",
        next: "give the command again; if it persists, report it with \(.logLevel, "debug")")
    public let settingsChanged = FailureCode(
        "settings-changed", .done, "A setting of the beacon is not as it was before the update.",
        next: "restore it with \(task: .writeSettings)")
    public let settingsUnread = FailureCode(
        "settings-unread", .done,
        "The settings of the beacon could not be read, before the update or after it, so it is not known "
            + "whether they were kept.",
        next: "look at it with \(task: .readSettings)")
    public let settingsForOthers = FailureCode(
        "settings-for-others", .failed,
        "The file has settings for another kind of beacon, whose keys mean something else. Nothing was "
            + "written.",
        next: "make a file from a beacon of this kind with \(task: .readSettings)")
    public let settingOutOfRange = FailureCode(
        "setting-out-of-range", .failed,
        "The file sets a value that the beacon does not support, or that its maker does not name. Values "
            + "that a beacon has already may be anything. Nothing was written.",
        next: "change the value to what the message allows")
    public let locksBeaconAway = FailureCode(
        "locks-beacon-away", .failed,
        "With these settings no one could connect to the beacon, or hear it, any more. Nothing was written.",
        next: "leave that setting out of the file, or insist with \(.risk) and the name in the message")
    public let settingsNotTaken = FailureCode(
        "settings-not-taken", .failed,
        "The beacon accepted the settings, but reports other values when they are read again. Settings "
            + "that the message does not name are as they should be.",
        next: "see what the beacon supports with \(task: .info, .device, "ADDRESS"), and change the file")
}
