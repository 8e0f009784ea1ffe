extension Explanation {
    /// Work that several benches share.
    static let station = [
        Explanation(
            "engine-unreachable", .tryAgain,
            "The engine that several benches work for cannot be reached, or does not answer in time. What is claimed is finished, "
                + "results wait in the journal, and nothing new is claimed.",
            next:
                "see to the network, or run `beacon-dfu-station doctor`; results are handed in by themselves"),
        Explanation(
            "engine-unready", .tryAgain,
            "The engine is there and cannot take anything now: its disk is full, or it is a standby that only reads.",
            next: "tell whoever keeps the engine; results wait in the journal meanwhile"),
        Explanation(
            "engine-answer", .badFile, "The engine's answer is none that this program understands.",
            next:
                "run `beacon-dfu-station doctor`: engine and program may be of versions that do not know each other"
        ),
        Explanation(
            "claim-lost", .tryAgain,
            "The claim of the unit has ended, and another station may have the unit. Nothing more is done to it here; what had been done is in the journal.",
            next: "run the same command with --resume: it claims the unit again, or says who has it"),
        Explanation(
            "lease-short", .tryAgain,
            "The claim of the unit ends before the next step would, and the engine grants no more time. A step that is not certain to be this station's is not begun.",
            next: "see to the network, then run the same command with --resume"),
        Explanation(
            "claimed", .tryAgain, "Another station has claimed the unit.",
            next:
                "see with `beacon-dfu-station status` who works at it; a station that is gone loses its claim by itself"
        ),
        Explanation(
            "claimed-in-other-order", .failed,
            "The beacon is in two work orders, and a station works at it for the other.",
            next: "see with `beacon-dfu-station status` which order it belongs to"),
        Explanation(
            "unit-done", .nothingToDo,
            "The engine has a result of the unit that says that it is on its firmware.",
            next: "nothing needs to be done"),
        Explanation(
            "unit-failed", .failed, "The unit has failed before, at this station or at another.",
            next: "give it another try with `beacon-dfu-station retry`"),
        Explanation(
            "unit-later", .tryAgain,
            "The order does not give this unit out now: it wants others to pass first, it is held, or has come to its end.",
            next: "see with `beacon-dfu-station status` what it waits for"),
        Explanation(
            "not-in-order", .failed, "The beacon is no unit of the work order. It was not touched.",
            next: "take it off the tray, or have it added to the order"),
        Explanation(
            "order-full", .failed,
            "The work order has all the units that it wants. The beacon was not touched.",
            next: "take it off the tray, or have the order want more: `beacon-dfu-station order expect`"),
        Explanation(
            "run-continued", .failed,
            "An earlier run of the order was cut off, as by a power cut, with units that had been begun. They may be in their bootloaders, where no rule finds them; so the journal's run is gone on with first.",
            next: "nothing needs to be done"),
        Explanation(
            "tray-firmware-unused", .failed,
            "The order says what its units get, and the tray file says something too, which is not used.",
            next: "take 'firmware' and 'catalogue' out of the tray file"),
        Explanation(
            "at-the-bench", .failed,
            "The page of all stations cannot do this: it is done where the beacons are.",
            next: "do it at the bench, or at the page of its run (`work --view`)"),
        Explanation(
            "unit-unknown", .failed, "The bench has no such unit now.",
            next: "look at the page again: its orders and units change"),
        Explanation(
            "listen-failed", .failed,
            "The page cannot be served where it was to be: something else listens there, or the address is not this machine's.",
            next: "choose another --port, --listen or --socket"),
        Explanation(
            "network-insecure", .usage,
            "The page was to be served to others without TLS, which needs an explicit word.",
            next: "give --certificate and --key, or let anybody look and nobody act with --insecure-network"),
        Explanation(
            "certificate-unusable", .badFile,
            "The page's certificate or its key cannot be read, or they do not belong together.",
            next: "give both as PEM, the server's certificate first"),
        Explanation(
            "secret-exposed", .badFile,
            "Others may read a file that holds a secret, the key of a certificate or a token: its mode gives rights to the group or to everybody.",
            next: "chmod 600 the file; if others may have read it, make another secret"),
        Explanation(
            "secret-too-large", .badFile, "A file that is to hold a key or a token has more than 64 KiB.",
            next: "see whether it is the right one"),
        Explanation(
            "hash-unusable", .usage, "A SHA-256 has 64 hexadecimal digits.",
            next: "see the hash of a package with `beacon-dfu inspect`, or sha256sum"),
        Explanation(
            "record-stays", .failed,
            "Results, and what people have decided, are neither changed nor deleted, by nobody.",
            next: "hand another result in, or decide anew"),
        Explanation(
            "policy-unusable", .usage, "A station may be offline for 90 seconds to 24 hours.",
            next: "name a time in between, as 8h"),
        Explanation(
            "page-missing", .noFile,
            "The program that serves pages could not be begun. Nothing was done to a beacon.",
            next: "install the package beacon-dfu-station, or leave --view away"),
        Explanation(
            "order-unknown", .failed, "The engine has no work order of this number.",
            next: "see with `beacon-dfu-station status` which there are"),
        Explanation(
            "slot-unclaimable", .tryAgain,
            "The slot says a beacon's name only, and no adapter has heard that beacon. Another bench may know it by its address, so it cannot be claimed by a name.",
            next:
                "see whether it lies there and is switched on, or write its address into the tray file; then --resume"
        ),
        Explanation(
            "page-lost", .failed,
            "The page of the run has ended, by itself or by somebody. The run goes on. Where nobody is at a terminal either, a hold that waits for a release ends it.",
            next: "look at the run with `beacon-dfu-station view --bench`"),
        Explanation(
            "lease-capped", .failed,
            "The engine grants claims for a shorter time than was asked for: no station may be offline for longer, lest it works by what has been recalled or held since.",
            next:
                "be back within that time, or have an administrator change it: `beacon-dfu-station policy --max-offline`"
        ),
        Explanation(
            "order-unsigned", .failed,
            "The work order names a file, which no seal covers, and the station was told to work by signed catalogues only. Nothing was done to a beacon.",
            next:
                "publish a signed catalogue with the file (`beacon-dfu catalogue sign`, `beacon-dfu-station publish`) and make an order of it"
        ),
        Explanation(
            "mirror-unreachable", .tryAgain,
            "The station's mirror cannot be reached, or has not answered in time. Files come from the engine.",
            next: "see whether its server runs; `beacon-dfu-station join --mirror ''` takes it away"),
        Explanation(
            "mirror-lacks-file", .failed,
            "The station's mirror does not have a file. It comes from the engine.",
            next: "fill the mirror with `beacon-dfu-station publish --files-to`"),
        Explanation(
            "mirror-unused", .failed,
            "A file came from the engine, because the station's mirror does not answer, does not have it, or has something else under its hash. Every file is checked by its hash, so it is the right one.",
            next: "fill the mirror with `beacon-dfu-station publish --files-to`, or see to its server"),
        Explanation(
            "order-held", .tryAgain,
            "The work order is held: too many units have failed, its first ones wait for a person's decision, or somebody wants it. No station begins a unit of it.",
            next: "look at the reason; an approver lets it go on with `beacon-dfu-station release`"),
        Explanation(
            "golden-passed", .tryAgain,
            "The order's first units have passed. The others wait until an approver has looked at them and released the order.",
            next: "let an approver run `beacon-dfu-station release`, or release it at the page"),
        Explanation(
            "asked", .tryAgain, "A person has held the order, for the reason that the message says.",
            next: "an approver lets it go on with `beacon-dfu-station release`"),
        Explanation(
            "nothing-claimed", .nothingToDo, "None of the units that are here is this station's to work at.",
            next: "look at the reasons; `beacon-dfu-station status` shows who has what"),
        Explanation(
            "clock-skew", .failed,
            "The machine's clock and the engine's differ by more than a minute. Claims do not depend on clocks; times in reports do.",
            next: "set the clock: `timedatectl set-ntp true`"),
        Explanation(
            "result-late", .failed,
            "Another station had claimed the unit when its result came in. The result is kept and shown, and the unit stays that station's.",
            next: "nothing needs to be done: the other station reads the version before it begins"),
        Explanation(
            "result-unplanned", .failed,
            "The engine knows no such unit or order. The result is kept and shown.",
            next: "see with `beacon-dfu-station status` whether the unit belongs to an order"),
        Explanation(
            "result-refused", .failed,
            "The engine will never take a result as it is. It was set aside, and the others flow.",
            next: "look at it with `beacon-dfu history outbox`"),
        Explanation(
            "results-resent", .failed,
            "The engine did not have results any more that it had taken, as after the failover to a standby that lacked its last seconds. They are sent again.",
            next: "nothing needs to be done"),
    ]
}
