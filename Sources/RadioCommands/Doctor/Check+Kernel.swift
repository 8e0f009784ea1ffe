package import BlueZ

extension Check {
    /// The kernel release that each feature needs. With an older one, the kernel's defaults apply.
    private static let features: [(major: Int, minor: Int, lack: String)] = [
        // Load Connection Parameters (mgmt-api.txt, version 1.7).
        (3, 17, "links have the kernel's own interval and timeout"),
        // Set PHY Configuration.
        (4, 19, "links stay at 1M"),
        // The socket option BT_PHY.
        (5, 10, "the PHY of a link is not shown"),
    ]

    static func kernel(_ kernel: KernelRelease) -> Check {
        let lacks = features.filter { !kernel.isAtLeast($0.major, $0.minor) }.map {
            "\($0.lack) (needs \($0.major).\($0.minor))"
        }
        guard let last = features.last, !lacks.isEmpty else {
            return Check(name: "kernel", verdict: .good, message: "Linux \(kernel.text) with Bluetooth")
        }
        return Check(
            name: "kernel", verdict: .warning,
            message: "Linux \(kernel.text) with Bluetooth is old: \(lacks.joined(separator: ", "))",
            remedy: "Linux \(last.major).\(last.minor) or later has all features that beacon-dfu uses")
    }

    /// Nil for kernels without the fault.
    package static func channels(_ kernel: KernelRelease) -> Check? {
        guard kernel.losesChannels else { return nil }
        return Check(
            name: "kernel-fault", verdict: .note,
            message:
                "Linux \(kernel.text) can crash when two programs connect to one beacon at the same time",
            remedy:
                "keep bluetoothd and other programs away from a beacon that is being updated; other copies of beacon-dfu "
                + "stay away by themselves")
    }
}
