extension Explanation {
    /// Before any file or radio is touched.
    static let commandLine = [
        Explanation(
            "no-adapter", .noAdapter,
            "There is no usable Bluetooth adapter, or the one that was named cannot be used: it is missing, "
                + "off, or was removed. An adapter that was pulled out is recognised by its address, whatever number "
                + "it gets; another adapter that has its number now is not used.",
            next: "plug in an adapter, or switch it on (--power-on); --adapter sim needs none"),
        Explanation(
            "memory-limited", .tryAgain,
            "The system lets this program use too little memory: its address space (`ulimit -v`) is limited to "
                + "less than 256 MB, or there is no space for another thread.",
            next: "raise the limit with `ulimit -v unlimited`, then run the same command again"),
        Explanation(
            "proc-missing", .tryAgain,
            "/proc is not mounted, or shows the processes of another namespace, as after `unshare --pid` "
                + "without `--mount-proc`. The Swift runtime counts its threads in /proc and would crash, so no "
                + "command starts.",
            next: "mount it with `mount -t proc proc /proc`, or run the command where it is mounted"),
        Explanation(
            "config-invalid", .badFile,
            "A default in a file or an environment variable is not valid. No command runs with only part of its "
                + "defaults.",
            next:
                "correct the place that the message names; BEACON_DFU_CONFIG= ignores every file for one "
                + "command"
        ),
        Explanation(
            "permission-missing", .noPermission,
            "The kernel lets only privileged programs scan and set link parameters. Root is not needed; the "
                + "capability is enough.",
            next: "sudo setcap cap_net_admin,cap_net_raw+ep on the beacon-dfu program, or run it with sudo"),
        Explanation(
            "attributes-taken", .noAdapter,
            "A client has connected to the controller, and its attribute channel went to another program on "
                + "this machine, or to none: `simulate` needs the controller for itself. The other program is usually "
                + "bluetoothd.",
            next:
                "stop it with `sudo systemctl stop bluetooth`, or use a controller that no other program uses"
        ),
        Explanation(
            "scenario-invalid", .badFile,
            "The scenario file of simulated beacons cannot be used.",
            next: "correct the place that the message names; docs/scenarios.md lists every key"),
        Explanation(
            "state-invalid", .badFile,
            "A state file of simulated beacons was not written by this program, or is damaged.",
            next:
                "remove the folder that the scenario's `state` names; the beacons then start with a new state"
        ),
        Explanation(
            "state-unusable", .noFile,
            "The state folder of simulated beacons cannot be created, or a file in it cannot be opened.",
            next: "correct `state` in the scenario, or create its parent folder with write permission"
        ),
        Explanation(
            "descriptors-exhausted", .tryAgain,
            "The system lets this program open no more files and sockets. It needs 24, and more with many "
                + "beacons.",
            next:
                "raise the limit with `ulimit -n 256`, or close other programs; then run the same command again"
        ),
        Explanation(
            "file-not-found", .noFile, "The file cannot be opened; usually no file has this name.",
            next: "check the path"),
        Explanation(
            "file-not-readable", .noFile,
            "The file or folder exists, but this user may not read it.",
            next: "give this user read permission, or run the command as the owner"),
        Explanation(
            "file-is-directory", .noFile,
            "The path is that of a folder; a file is expected.",
            next: "name a file in it"),
        Explanation(
            "link-not-followed", .noFile,
            "A folder to be checked contains a link to another folder. The link could lead anywhere, so it was "
                + "not followed, and nothing there was checked.",
            next: "name the linked folder as well, or remove the link"),
        Explanation(
            "filter-invalid", .badFile,
            "The file with named filters cannot be used, or has no filter of that name.",
            next:
                "correct the place that the message names; each name has a list of conditions, written as for "
                + "--filter"
        ),
        Explanation(
            "rules-invalid", .badFile, "The rules file cannot be used.",
            next:
                "correct the place that the message names; `beacon-dfu validate --list-rules` lists every rule"
        ),
        Explanation(
            "catalogue-invalid", .badFile, "The catalogue cannot be used.",
            next: "correct the place that the message names; docs/formats/catalogue.md lists every key"),
        Explanation(
            "target-invalid", .usage,
            "The description of the target cannot be read.",
            next:
                "write it as key=value pairs separated by commas, such as "
                + "hardware=52,version=10000,softdevice=0xB7"
        ),
        Explanation(
            "file-not-writable", .noFile,
            "The file cannot be written.",
            next: "check the folder, its permissions, and the free space on the disk"),
        Explanation(
            "output-is-input", .usage,
            "The output file is one of the files that the command reads: firmware, a key, a scenario. It would "
                + "be lost.",
            next: "give another name for the output file; --help shows the order of the arguments"),
        Explanation(
            "file-exists", .noFile,
            "A file of this name exists already and is not of the kind to be written, so its content would be "
                + "lost. A new key never replaces anything: the file may be a key that beacons depend on.",
            next: "choose another name, move the file away, or, if it may be lost, give --overwrite"),
        Explanation(
            "would-destroy-key", .usage,
            "The output file exists already and holds a key. Without the key no package could be signed again "
                + "for the beacons that trust it, so it is kept, whatever the options say.",
            next: "choose another name, or move the key away"),
        Explanation(
            "not-served", .failed,
            "The simulated beacon could not answer a client, and closed the link.",
            next: "see the reason in the message"),
        Explanation(
            "key-file-exposed", .done,
            "Other users of this machine can read the file with a secret key. Anyone with a signing key can "
                + "sign packages for every beacon that trusts it; anyone with an AES key can read firmware and "
                + "encrypt it.",
            next:
                "chmod 600 the file; if others may have read it, the beacons need a bootloader with a new key"
        ),
        Explanation(
            "private-key-shown", .done,
            "The private key was printed, as --key sk requests. It is now in the terminal's scrollback, and "
                + "perhaps in a log.",
            next: "no action is needed if only its owner could see it"),
        Explanation(
            "not-an-image", .badFile,
            "The firmware to be packed is neither Intel HEX nor a plain binary. A bootloader would install it, "
                + "but it would never start.",
            next: "give the .hex or .bin that the compiler's objcopy writes"),
        Explanation(
            "hex-invalid", .badFile,
            "The Intel HEX text is damaged, or contains nothing to pack.",
            next: "write it again with objcopy -O ihex, and look at the line that the message names"),
        Explanation(
            "build-refused", .badFile,
            "The options contradict the firmware or each other: beacons would refuse it.",
            next: "the findings above name the fields; change the options that set them"),
        Explanation(
            "encryption-key-invalid", .usage,
            "The key or the initialisation vector for AES-128 is not 16 bytes in hexadecimal. Neither is ever "
                + "printed.",
            next: "give exactly the 32 hexadecimal digits that the bootloader was built with"),
        Explanation(
            "key-on-command-line", .done,
            "A key was given as an option. Every user of the machine can see it while the program runs; "
                + "afterwards it stays in the shell's history.",
            next: "put the key into a file that only you can read, and give --key-file"),
        Explanation(
            "device-not-found", .deviceNotFound,
            "No beacon that was heard matches the selector. A beacon in its bootloader has another address than "
                + "in its application: usually the last byte is higher by one.",
            next: "check the address with `beacon-dfu scan`, power, and distance; --scan-for listens longer"),
        Explanation(
            "device-ambiguous", .failed,
            "More than one beacon matches the selector. Nothing is flashed on a guess.",
            next: "select one of them by its address"),
        Explanation(
            "output-failed", .noFile,
            "The output could not be written. The command has done everything else, as the message says.",
            next: "free space on the disk that takes the output, or write it elsewhere"),
        Explanation(
            "log-cut-short", .done,
            "The file given with --log-file could not be written any further, usually because its disk is full. "
                + "The command continues.",
            next: "free space on the disk that takes the log, or write it elsewhere"),
        Explanation(
            "usage", .usage, "The program does not understand the command line.",
            next: "look at the options of the command with --help"),
        Explanation(
            "internal-error", .internalError, "Something happened that should not; this is a bug.",
            next: "report it with the output of the same command and --log-level debug"),
        Explanation(
            "timed-out", .tryAgain,
            "The time limit of --timeout passed before the command was done. Work in progress was stopped as "
                + "with Ctrl-C.",
            next: "run the same command again, with a longer --timeout; it resumes where the protocol allows"),
        Explanation(
            "interrupted", .interrupted,
            "The command was ended by Ctrl-C, SIGTERM or SIGHUP. A beacon whose update was interrupted runs its "
                + "application, or waits in its bootloader: Nordic's Secure DFU resumes if the beacon keeps what it "
                + "has, Legacy DFU and SUOTA start again at the first byte.",
            next: "run the same command again"),
    ]
}
