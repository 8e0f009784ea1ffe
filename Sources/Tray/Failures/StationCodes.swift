package import UpdateModel

package struct StationCodes: FailureCodeGroup {
    package static let topic = FailureTopic("Stations")

    package let claimLost = FailureCode(
        "claim-lost", .tryAgain,
        "The claim of the unit has ended, and another station may have the unit. Nothing more is done to it "
            + "here; what was done is in the journal.",
        next: "run the same command with --resume: it claims the unit again, or names the station that has "
            + "it", unit: .aborted)
    package let leaseShort = FailureCode(
        "lease-short", .tryAgain,
        "The claim of the unit would end before the next step, and the work server grants no more time. A "
            + "step is not started unless the claim covers it.",
        next: "check the network, then run the same command with --resume", unit: .aborted)
    package let claimed = FailureCode(
        "claimed", .tryAgain, "Another station has claimed the unit.",
        next: "check with `beacon-dfu-station status` which station works on it; a station that is gone "
            + "loses its claim automatically")
    package let claimedInOtherOrder = FailureCode(
        "claimed-in-other-order", .failed,
        "The beacon is in two work orders, and a station works on it for the other.",
        next: "check with `beacon-dfu-station status` which order it belongs to")
    package let unitDone = FailureCode(
        "unit-done", .nothingToDo, "The work server has a result that says the unit has its firmware.",
        next: "no action is needed")
    package let unitFailed = FailureCode(
        "unit-failed", .failed, "The unit has failed before, at this station or at another.",
        next: "give it another try with `beacon-dfu-station retry`")
    package let unitLater = FailureCode(
        "unit-later", .tryAgain,
        "The order does not hand out this unit now: other units have to pass first, the order is held, or it "
            + "has ended.",
        next: "check with `beacon-dfu-station status` what it waits for")
    package let notInOrder = FailureCode(
        "not-in-order", .failed, "The beacon is not a unit of the work order. It was not touched.",
        next: "take it off the tray, or have it added to the order")
    package let orderFull = FailureCode(
        "order-full", .failed,
        "The work order has all the units that it expects. The beacon was not touched.",
        next: "take it off the tray, or raise the order's number: `beacon-dfu-station order expect`")
    package let runContinued = FailureCode(
        "run-continued", .failed,
        "An earlier run of the order was cut off, for example by a power cut, after it had started units. "
            + "They may be in their bootloaders, where no rule finds them, so the run in the journal is "
            + "continued first.",
        next: "no action is needed")
    package let trayFirmwareUnused = FailureCode(
        "tray-firmware-unused", .failed,
        "The order names the firmware of its units; the firmware in the tray file is not used.",
        next: "remove 'firmware' and 'catalogue' from the tray file")
    package let atTheBench = FailureCode(
        "at-the-bench", .failed,
        "The page of all stations cannot do this: it has to be done at the bench with the beacons.",
        next: "do it at the bench, or at the page of its run (`work --view`)")
    package let unitUnknown = FailureCode(
        "unit-unknown", .failed, "The bench has no such unit now.",
        next: "look at the page again: its orders and units change")
    package let listenFailed = FailureCode(
        "listen-failed", .failed,
        "The page cannot be served at this address: something else listens there, or the address is not this "
            + "machine's.",
        next: "choose another --port, --listen or --socket")
    package let networkInsecure = FailureCode(
        "network-insecure", .usage,
        "Serving the page to other machines without TLS needs an explicit option.",
        next: "give --certificate and --key, or allow everyone to look but not to act with "
            + "--insecure-network")
    package let certificateUnusable = FailureCode(
        "certificate-unusable", .badFile,
        "The page's certificate or its key cannot be read, or they do not belong together.",
        next: "give both as PEM, the server's certificate first")
    package let secretExposed = FailureCode(
        "secret-exposed", .badFile,
        "Others may read a file that holds a secret, the key of a certificate or a token: its mode gives "
            + "rights to the group or to everyone.",
        next: "chmod 600 the file; if others may have read it, make another secret")
    package let secretTooLarge = FailureCode(
        "secret-too-large", .badFile, "A file that should hold a key or a token has more than 64 KiB.",
        next: "check that it is the right file")
    package let hashUnusable = FailureCode(
        "hash-unusable", .usage, "A SHA-256 has 64 hexadecimal digits.",
        next: "read the hash of a package with `beacon-dfu inspect`, or sha256sum")
    package let recordStays = FailureCode(
        "record-stays", .failed,
        "Results and people's decisions are permanent: they can be neither changed nor deleted.",
        next: "deliver another result, or decide again")
    package let policyUnusable = FailureCode(
        "policy-unusable", .usage, "A station may be offline for 90 seconds to 24 hours.",
        next: "give a time in between, such as 8h")
    package let pageMissing = FailureCode(
        "page-missing", .noFile,
        "The program that serves pages could not be started. Nothing was done to a beacon.",
        next: "install the package beacon-dfu-station, or leave --view out")
    package let orderUnknown = FailureCode(
        "order-unknown", .failed, "The work server has no work order with this number.",
        next: "check with `beacon-dfu-station status` which there are")
    package let slotUnclaimable = FailureCode(
        "slot-unclaimable", .tryAgain,
        "The slot has only a beacon's name, and no adapter has heard that beacon. Another bench may know it "
            + "by its address, so it cannot be claimed by its name.",
        next: "check that it is there and switched on, or write its address into the tray file; then "
            + "--resume")
    package let pageLost = FailureCode(
        "page-lost", .failed,
        "The page of the run has ended, by itself or because someone ended it. The run continues. If there "
            + "is no terminal either, a hold that waits for a release ends the run.",
        next: "look at the run with `beacon-dfu-station view --bench`")
    package let leaseCapped = FailureCode(
        "lease-capped", .failed,
        "The work server grants claims for a shorter time than requested: no station may be offline for "
            + "longer, so that none works with firmware that was recalled or held meanwhile.",
        next: "be back within that time, or have an administrator change it: `beacon-dfu-station policy "
            + "--max-offline`")
    package let orderUnsigned = FailureCode(
        "order-unsigned", .failed,
        "The work order names a file, which no seal covers, and the station accepts signed catalogues only. "
            + "Nothing was done to a beacon.",
        next: "publish a signed catalogue with the file (`beacon-dfu catalogue sign`, `beacon-dfu-station "
            + "publish`) and make an order of it")
    package let mirrorUnreachable = FailureCode(
        "mirror-unreachable", .tryAgain,
        "The station's mirror cannot be reached, or did not answer in time. Files come from the work server.",
        next: "check that its server runs; `beacon-dfu-station join --mirror ''` removes the mirror")
    package let mirrorLacksFile = FailureCode(
        "mirror-lacks-file", .failed,
        "The station's mirror does not have a file. It comes from the work server.",
        next: "fill the mirror with `beacon-dfu-station publish --files-to`")
    package let mirrorUnused = FailureCode(
        "mirror-unused", .failed,
        "A file came from the work server, because the station's mirror does not answer, does not have it, "
            + "or has something else under its hash. Every file is checked by its hash, so it is the right "
            + "one.",
        next: "fill the mirror with `beacon-dfu-station publish --files-to`, or check its server")
    package let orderHeld = FailureCode(
        "order-held", .tryAgain,
        "The work order is held: too many units have failed, its first units wait for a person's decision, "
            + "or a person has held it. No station starts a unit of it.",
        next: "see the reason; an approver continues it with `beacon-dfu-station release`", mayPass: true)
    package let goldenPassed = FailureCode(
        "golden-passed", .tryAgain,
        "The order's first units have passed. The others wait until an approver has looked at them and "
            + "released the order.",
        next: "let an approver run `beacon-dfu-station release`, or release it at the page")
    package let asked = FailureCode(
        "asked", .tryAgain, "A person has held the order; the message gives the reason.",
        next: "an approver continues it with `beacon-dfu-station release`")
    package let nothingClaimed = FailureCode(
        "nothing-claimed", .nothingToDo, "This station can claim none of the units that are here.",
        next: "look at the reasons; `beacon-dfu-station status` shows who has what", mayPass: true)
    package let clockSkew = FailureCode(
        "clock-skew", .failed,
        "The clocks of this machine and of the work server differ by more than a minute. Claims do not "
            + "depend on clocks; times in reports do.",
        next: "set the clock: `timedatectl set-ntp true`")
    package let resultLate = FailureCode(
        "result-late", .failed,
        "The result arrived after another station had claimed the unit. It is kept and shown, and the unit "
            + "stays with that station.",
        next: "no action is needed: the other station reads the version before it begins")
    package let resultUnplanned = FailureCode(
        "result-unplanned", .failed,
        "The result is for a unit or an order that the work server does not know. It is kept and shown.",
        next: "check with `beacon-dfu-station status` whether the unit belongs to an order")
    package let resultRefused = FailureCode(
        "result-refused", .failed,
        "The work server will never accept this result. It was set aside, and the others are delivered.",
        next: "look at it with `beacon-dfu history outbox`")
    package let resultsResent = FailureCode(
        "results-resent", .failed,
        "The work server no longer had results that it had accepted, as after a failover to a standby that "
            + "lacked its last seconds. They are sent again.",
        next: "no action is needed")
}

extension FailureCode { package static let station = StationCodes() }
