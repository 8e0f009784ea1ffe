/// Failures of this machine, its adapter, or the program.
public struct SystemCodes: FailureCodeGroup {
    public static let topic = FailureTopic.commandLine

    public let noAdapter = FailureCode(
        "no-adapter", .noAdapter,
        "There is no usable Bluetooth adapter, or the one that was named cannot be used: it is missing, "
            + "off, or was removed. An adapter that was pulled out is recognised by its address, whatever "
            + "number it gets; another adapter that has its number now is not used.",
        next: "plug in an adapter, or switch it on (\(.powersOn)); \(.adapter, "sim") needs none",
        onTray: "plug in an adapter, or switch it on; then continue with \(.resume)")
    public let memoryLimited = FailureCode(
        "memory-limited", .tryAgain,
        "The system lets this program use too little memory: its address space (`ulimit -v`) is limited to "
            + "less than 256 MB, or there is no space for another thread.",
        next: "raise the limit with `ulimit -v unlimited`, then run the same command again")
    public let procMissing = FailureCode(
        "proc-missing", .tryAgain,
        "/proc is not mounted, or shows the processes of another namespace, as in a PID namespace "
            + "without a /proc of its own. The Swift runtime counts its threads in /proc and would crash, so "
            + "no command starts.",
        next: "mount it with `mount -t proc proc /proc`, or run the command where it is mounted")
    public let permissionMissing = FailureCode(
        "permission-missing", .noPermission,
        "The kernel lets only privileged programs scan and set link parameters. Root is not needed; the "
            + "capability is enough.",
        next: "sudo setcap cap_net_admin,cap_net_raw+ep on the program, or run it with sudo")
    public let attributesTaken = FailureCode(
        "attributes-taken", .noAdapter,
        "A client has connected to the controller, and its attribute channel went to another program on "
            + "this machine, or to none: `simulate` needs the controller for itself. The other program is "
            + "usually bluetoothd.",
        next: "stop it with `sudo systemctl stop bluetooth`, or use a controller that no other program uses")
    public let descriptorsExhausted = FailureCode(
        "descriptors-exhausted", .tryAgain,
        "The system lets this program open no more files and sockets. It needs 24, and more with many "
            + "beacons.",
        next:
            "raise the limit with `ulimit -n 256`, or close other programs; then run the same command again")
    public let internalError = FailureCode(
        "internal-error", .internalError, "Something happened that should not; this is a bug.",
        next: "report it with the output of the same command and \(.logLevel, "debug")")
    public let interrupted = FailureCode(
        "interrupted", .interrupted,
        "The command was ended by Ctrl-C, SIGTERM or SIGHUP. A beacon whose update was interrupted runs "
            + "its application, or waits in its bootloader: Nordic's Secure DFU resumes if the beacon "
            + "keeps what it has, Legacy DFU and SUOTA start again at the first byte.",
        next: "run the same command again", unit: .aborted, onTray: "continue with \(.resume)")
}
