extension Explanation {
    /// Failures of the link, and of the beacon during an update.
    package static let device = [
        Explanation(
            "battery-low", .failed,
            "The beacon advertises a battery that is too low for an update: flash needs current to be written, "
                + "and some products drop an update silently.",
            next: "give the beacon a fresh battery, then run the same command again"),
        Explanation(
            "link-lost", .tryAgain,
            "The link to the beacon was lost repeatedly, or the beacon was no longer heard.",
            next:
                "bring the beacon closer or give it fresh power, then run the same command again: Nordic's "
                + "Secure DFU resumes if the beacon keeps what it has, Legacy DFU and SUOTA start again at the "
                + "first byte"
        ),
        Explanation(
            "connection-not-established", .tryAgain,
            "The beacon is heard, but no connection to it was ever established. Either it does not accept "
                + "connections at the moment, or this machine's Bluetooth makes none: a kernel that has lost track of "
                + "a link waits forever.",
            next:
                "bring the beacon closer; if no beacon can be connected to, switch the adapter off and on "
                + "(`btmgmt power off` and `btmgmt power on`, or pull it out and plug it in), then run the same "
                + "command again"
        ),
        Explanation(
            "beacon-in-use", .tryAgain,
            "Another beacon-dfu on this machine is updating or reading this beacon. Two at once would disturb "
                + "each other, and on some kernels bring the machine's Bluetooth down.",
            next: "wait until the program that the message names has ended, then run the same command again"),
        Explanation(
            "beacon-held", .tryAgain,
            "Another program on this machine has a link to this beacon, and a beacon takes one at a time. "
                + "Usually that is bluetoothd. A scan that bypasses the kernel (hcitool, hcidump) looks the same.",
            next:
                "`bluetoothctl disconnect ADDRESS`, or end the program that is connected, then run the same "
                + "command again"
        ),
        Explanation(
            "adapter-busy", .tryAgain,
            "An adapter makes one connection at a time, and another beacon-dfu on this machine was connecting "
                + "all the time.",
            next:
                "run the same command again when the program that the message names is done, or use another "
                + "--adapter"
        ),
        Explanation(
            "too-many-links", .tryAgain,
            "A Bluetooth controller holds a few links at a time (5 to 20, by its model), and this one is full: "
                + "other programs, or other updates of this program, hold the rest. This says nothing about the "
                + "beacon.",
            next:
                "close other connections (`btmgmt con` lists them), or use another --adapter, then run the same "
                + "command again"
        ),
        Explanation(
            "adapter-deaf", .done,
            "Another program scanned with the same adapter; if it was killed, its scan continues for up to 10 "
                + "s. Until that scan ends, beacons that it has reported are not reported again.",
            next: "no action is needed; if it keeps happening, end the other scan (`bluetoothctl scan off`)"
        ),
        Explanation(
            "no-answer", .tryAgain,
            "The beacon is connected but does not answer. A bootloader whose packet buffers are used up behaves "
                + "like that until it restarts, after 120 s at the latest.",
            next: "wait two minutes or power-cycle the beacon, then run the same command again"),
        Explanation(
            "unexpected-answer", .failed, "The beacon gave an answer that no known bootloader gives.",
            next: "run again with --log-level debug and report the output; the bootloader may be a custom one"
        ),
        Explanation(
            "attribute-refused", .failed,
            "The beacon refused access to an attribute, or lacks one that a bootloader has.",
            next: "run again with --log-level debug, and check that the package is for this kind of beacon"),
        Explanation(
            "updates-not-allowed", .failed,
            "The beacon refuses access for lack of authorization (ATT error 08): updates are switched off in "
                + "its settings, or it has to be paired first. Nothing was written.",
            next:
                "allow updates in the beacon's own settings (a watch has them in its menu), then run the same "
                + "command again"),
        Explanation(
            "encryption-failed", .failed,
            "The beacon requires an encrypted link. It refused to pair, is bonded to another phone or computer, "
                + "or took too long to encrypt.",
            next:
                "remove the beacon's bond where it was made, and run the command with CAP_NET_ADMIN, which "
                + "pairing needs"),
        Explanation(
            "not-in-bootloader", .failed,
            "The beacon runs its application, which offers no way into the bootloader. Only the bootloader takes "
                + "firmware. A bootloader of another kind than the package's (Secure, Legacy) looks the same.",
            next:
                "start the bootloader (button at power-up, or the vendor's app), then select the bootloader's "
                + "address from `beacon-dfu scan`; `beacon-dfu info` shows whether it takes files of another kind"
        ),
        Explanation(
            "entry-refused", .failed,
            "The beacon's application was asked to start the bootloader, and refused.",
            next:
                "power-cycle the beacon and run the same command again, or start its bootloader by hand (button "
                + "at power-up, or the vendor's app)"),
        Explanation(
            "bootloader-not-entered", .failed,
            "The application confirmed that it would start its bootloader, but was still running after every "
                + "try.",
            next: "power-cycle the beacon; start its bootloader by hand and select the bootloader's address"),
        Explanation(
            "bootloader-not-found", .tryAgain,
            "The application has ended, and nothing that could be its bootloader was heard. It may be slow, or "
                + "use an address of the vendor's choosing without the name that it was given.",
            next: "look for it with `beacon-dfu scan` and select it by its address; it waits for two minutes"),
        Explanation(
            "bootloader-ambiguous", .failed,
            "More than one beacon could be the bootloader of the selected one: one at its address was there "
                + "before, two have the same name, or two have appeared since. Or the selected application is silent, "
                + "and the beacon that takes updates at the next address does not show that it is its bootloader. "
                + "Nothing is flashed on a guess.",
            next: "switch the other beacons off or take them away, then run the same command again"),
        Explanation(
            "application-assumed", .done,
            "The selected bootloader confirmed the image and left, and its application was heard at none of the "
                + "addresses that follow from the bootloader's. The only beacon that was not heard before shows the "
                + "version that was sent, and is taken for it.",
            next: "no action is needed; if several beacons are nearby, check that it was this one"
        ),
        Explanation(
            "bootloader-assumed", .done,
            "The selected address is silent, and the next one is a bootloader: by Nordic's address rule it "
                + "belongs to the same unit, for example after an interrupted update. Or a beacon with a public "
                + "address has left for its bootloader, and exactly one has appeared nearby since. Or the bootloader "
                + "at the next address does not show the name that the application was asked to give it.",
            next: "no action is needed; if several beacons are nearby, check that it was this one"),
        Explanation(
            "nothing-selected", .nothingToDo,
            "A list of beacons was shown, and none was chosen. Nothing was done.",
            next: "run the same command again, or name the beacon with --device"),
        Explanation(
            "identity-asked", .done,
            "While waiting for a beacon, the program connected to one that does not advertise its identity, and "
                + "asked for it. If it is another beacon, the connection ends at once and is not repeated.",
            next: "no action is needed; select the beacon by its address to leave others alone"),
        Explanation(
            "would-lock-beacon", .failed,
            "Kontakt.io's beacons up to version 3.1 drop a client that connects and writes no password for 30 "
                + "s, and then refuse every connection for 20 minutes. They advertise their version, battery and id.",
            next: "read them with `beacon-dfu scan`; to connect anyway, give --force lock-risk to `info`"
        ),
        Explanation(
            "battery-unknown", .done,
            "Beacons of this kind advertise their battery in one of several frames sent in turn, and that frame "
                + "was not heard. The update begins without knowing whether the battery lasts.",
            next: "no action is needed; to know it beforehand, bring the adapter nearer or wait longer"),
        Explanation(
            "version-unknown", .done,
            "Beacons of this kind advertise their firmware version in one of several frames sent in turn, and "
                + "that frame was not heard. The version before the update can then only be read from the beacon "
                + "itself.",
            next: "no action is needed; to know it beforehand, bring the adapter nearer or wait longer"),
        Explanation(
            "ibeacon-trigger", .done,
            "A KKM beacon that was moved or clicked advertises its iBeacon UUID with a small number added for a "
                + "while. Nothing with the exact UUID was heard, so this beacon is taken for the selected one.",
            next: "no action is needed; select it by its address to avoid this warning"),
        Explanation(
            "left-bootloader", .tryAgain,
            "The beacon restarted and went back to its old application before it had the whole image: its power "
                + "failed, or it received nothing for 120 s.",
            next: "start its bootloader again and run the same command"),
        Explanation(
            "parts-left", .tryAgain,
            "One part of a package is installed, and the rest was not sent. The beacon then started an "
                + "application instead of its bootloader. Only the bootloader's address had been selected, and an "
                + "application at another address might be another beacon's.",
            next:
                "select the beacon by its application's address and run the command again; the installed part "
                + "is skipped"),
        Explanation(
            "activation-failed", .failed,
            "The beacon took the whole image and then came back in its bootloader instead of the application. A "
                + "beacon that takes updates in its application and shows nothing else looks the same.",
            next: "check that the image suits the beacon and its SoftDevice; then flash again"),
        Explanation(
            "version-mismatch", .failed,
            "The application that came up shows a version other than the expected one: the old firmware runs, or the "
                + "application numbers its versions differently from the package.",
            next: "compare `beacon-dfu info` with the package; --expect-version names the text to look for"),
        Explanation(
            "did-not-reappear", .failed,
            "The beacon took the whole image and was not heard again. It may still be starting, or the new "
                + "application does not advertise at an address that can be predicted.",
            next:
                "look for it with `beacon-dfu scan`, also under another address, then switch it off and on; "
                + "`beacon-dfu info` shows what runs"),
        Explanation(
            "image-crc-mismatch", .failed,
            "The image does not match its checksum. During an update: the same part was sent several times and "
                + "never arrived intact. For a file: the header was made for another payload.",
            next:
                "bring beacon and adapter closer together, and away from other radios, then run the same "
                + "command again; for a file: get it again"
        ),
    ]
}
