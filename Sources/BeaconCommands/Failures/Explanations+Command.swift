extension Explanation {
    /// Before any file or radio is touched.
    static let commandLine = [
        Explanation(
            "no-adapter", .noAdapter,
            "This program can use no Bluetooth adapter, or not the one that was named: there is none, it is off, or it was removed. "
                + "An adapter that was pulled out is known again by its address, whatever number it gets; another one that has "
                + "its number now is not used.",
            next: "plug an adapter in, or switch it on (--power-on); --adapter sim needs none"),
        Explanation(
            "memory-limited", .tryAgain,
            "The system lets this program have too little memory: a limit to its address space (`ulimit -v`) below 256 MB, or no room for another "
                + "thread.",
            next: "raise the limit with `ulimit -v unlimited`, then run the same command again"),
        Explanation(
            "proc-missing", .tryAgain,
            "/proc is not mounted, or shows the processes of another namespace, as after `unshare --pid` without `--mount-proc`. The runtime "
                + "counts its threads by it and would crash, so that no command begins.",
            next: "mount it with `mount -t proc proc /proc`, or run the command where it is mounted"),
        Explanation(
            "config-invalid", .badFile,
            "A default, in a file or in an environment variable, cannot be used. No command runs with half of them.",
            next:
                "correct the place that the message names; BEACON_DFU_CONFIG= leaves out every file for one command"
        ),
        Explanation(
            "permission-missing", .noPermission,
            "The kernel lets only privileged programs scan and set link parameters. Root is not needed; the "
                + "capability is enough.",
            next: "sudo setcap cap_net_admin,cap_net_raw+ep on the beacon-dfu program, or run it with sudo"),
        Explanation(
            "attributes-taken", .noAdapter,
            "A client has connected to the controller, and its attribute channel went to another program of this machine, or to "
                + "none: `simulate` does not have the controller to itself. Usually that is bluetoothd.",
            next: "stop it with `sudo systemctl stop bluetooth`, or take a controller that nobody else uses"),
        Explanation(
            "scenario-invalid", .badFile, "The file of simulated beacons cannot be used.",
            next: "correct the place that the message names; docs/scenarios.md lists every key"),
        Explanation(
            "state-invalid", .badFile,
            "A file in which simulated beacons keep their state was not written by them, or is damaged.",
            next: "remove the folder that the scenario's `state` names; the beacons start afresh"),
        Explanation(
            "state-unusable", .noFile,
            "The folder in which simulated beacons keep their state cannot be created, or a file in it cannot be "
                + "opened.",
            next:
                "correct `state` in the scenario, or create the folder around it with write permission"
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
            "The file or folder is there, and its permissions keep this user out.",
            next: "give this user the right to read it, or run the command as its owner"),
        Explanation(
            "file-is-directory", .noFile, "A file is expected, and the path is a folder's.",
            next: "name a file in it"),
        Explanation(
            "link-not-followed", .noFile,
            "A folder to be checked has a link to a folder elsewhere in it. It could lead anywhere, so it was not "
                + "followed, and nothing there was checked.",
            next: "name the folder that it leads to as well, or remove the link"),
        Explanation(
            "filter-invalid", .badFile,
            "The file with named filters cannot be used, or has no filter of that name.",
            next:
                "correct the place that the message names; each name has a list of conditions as --filter takes them"
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
            "target-invalid", .usage, "The target device cannot be understood.",
            next: "write it as key=value pairs with commas, such as hardware=52,version=10000,softdevice=0xB7"
        ),
        Explanation(
            "file-not-writable", .noFile, "The file cannot be written.",
            next: "check the folder, its permissions, and the room on the disk"),
        Explanation(
            "output-is-input", .usage,
            "The file to be written is one of those that the command reads: firmware, a key, a scenario. It would be lost.",
            next: "give another name for the file to be written; see the order of the arguments with --help"),
        Explanation(
            "file-exists", .noFile,
            "A file of this name exists already and is not of the kind that is written, so something else would be "
                + "lost. A new key never replaces anything: if that is a key, devices may depend on it.",
            next: "choose another name, move the file away, or, if it may be lost, give --overwrite"),
        Explanation(
            "would-destroy-key", .usage,
            "The file to be written exists already and holds a key. Without the key no package could be signed again "
                + "for the devices that trust it, so it is kept, whatever the options say.",
            next: "choose another name, or move the key away"),
        Explanation(
            "not-served", .failed,
            "Something that a client sent to the simulated beacon could not be answered, and the link was closed.",
            next: "read why in the message"),
        Explanation(
            "key-file-exposed", .done,
            "The file with a secret key can be read by other users of this machine. Whoever has a signing key can sign "
                + "packages for every device that trusts it; whoever has an AES key can read firmware and encrypt it.",
            next:
                "chmod 600 the file; if others may have read it, the devices need a bootloader with a new key"
        ),
        Explanation(
            "private-key-shown", .done,
            "The private key was printed, as --key sk asks. It is now in the terminal's memory, and perhaps in a log.",
            next: "no action is needed where only its owner could see it"),
        Explanation(
            "not-an-image", .badFile,
            "The firmware to be packed is neither Intel HEX nor a plain binary. A bootloader would install it, and it "
                + "would never start.",
            next: "give the .hex or .bin that the compiler's objcopy writes"),
        Explanation(
            "hex-invalid", .badFile, "The Intel HEX text is damaged, or contains nothing that can be packed.",
            next: "write it again with objcopy -O ihex, and look at the line that the message names"),
        Explanation(
            "build-refused", .badFile,
            "The options contradict the firmware or each other: devices would refuse it.",
            next: "the findings above name the fields; change the options that set them"),
        Explanation(
            "encryption-key-invalid", .usage,
            "The key or the initialisation vector for AES-128 is not 16 bytes in hexadecimal. Neither is ever printed.",
            next: "give 32 hexadecimal digits and nothing else: those that the bootloader was built with"),
        Explanation(
            "key-on-command-line", .done,
            "A key was given as an option. While the program runs, every user of the machine can see it; afterwards "
                + "it is in the shell's history.",
            next: "put the key into a file that only you can read, and give --key-file"),
        Explanation(
            "device-not-found", .deviceNotFound,
            "No beacon that was heard matches the selector. A beacon has a different address in its bootloader from "
                + "the one in its application: usually the last byte is higher by one.",
            next: "check the address with `beacon-dfu scan`, power, and distance; --scan-for listens longer"),
        Explanation(
            "device-ambiguous", .failed,
            "More than one beacon matches the selector. Nothing is flashed on a guess.",
            next: "select one of them by its address"),
        Explanation(
            "output-failed", .noFile,
            "The output could not be written. Everything else that the command has to do is done; the message says so.",
            next: "make room on the disk that takes the output, or write it elsewhere"),
        Explanation(
            "log-cut-short", .done,
            "The file given with --log-file could not be written any further, usually because its disk is full. The "
                + "command goes on.",
            next: "make room on the disk that takes the log, or write it elsewhere"),
        Explanation(
            "usage", .usage, "The program does not understand the command line.",
            next: "look at the options of the command with --help"),
        Explanation(
            "internal-error", .internalError, "Something happened that should not; this is a bug.",
            next: "report it with the output of the same command and --log-level debug"),
        Explanation(
            "timed-out", .tryAgain,
            "The time that --timeout allows was over before the command was done. What was under way was ended as with Ctrl-C.",
            next: "run the same command again, with a longer --timeout; it goes on where the protocol allows"),
        Explanation(
            "interrupted", .interrupted,
            "The command was ended by Ctrl-C, SIGTERM or SIGHUP. A beacon whose update was interrupted runs its application, "
                + "or waits in its bootloader: Nordic's Secure DFU goes on where the beacon keeps what it has, Legacy DFU and SUOTA "
                + "begin at the first byte.",
            next: "run the same command again"),
    ]
}
