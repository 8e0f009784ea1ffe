public import Bluetooth

extension BluetoothSurvey {
    /// Surveys this machine.
    public static func take(
        time: Timekeeper, readiness: any DescriptorReadiness
    ) async throws -> BluetoothSurvey {
        // Not a child of this task: a discovery that was begun has to be ended even after a cancellation.
        let controllers = Task { () -> [Controller]? in
            guard let socket = try? PacketSocket.management(readiness: readiness) else { return nil }
            return try await Self.controllers(over: socket, time: time)
        }
        return BluetoothSurvey(
            controllers: try await controllers.value, block: Machine.block,
            missingCapabilities: Machine.missingCapabilities, hasDaemon: Machine.runs("bluetoothd"),
            kernel: KernelRelease(Machine.kernel))
    }

    /// The controllers that a management socket reports; closes the socket at the end.
    static func controllers(over socket: any Bearer, time: Timekeeper) async throws -> [Controller] {
        let management = ManagementChannel(bearer: socket, time: time)
        async let _ = management.run()
        defer { management.close() }
        var found: [Controller] = []
        for index in try await management.controllers() {
            let information = try await management.information(of: index)
            let (name, address) = ("hci\(index)", information.address)
            let key = address.tellsControllersApart ? "\(address)" : name
            found.append(
                Controller(
                    name: name, address: "\(address)",
                    isPowered: information.current.contains(.powered),
                    canLowEnergy: information.supported.contains(.lowEnergy),
                    hasLowEnergy: information.current.contains(.lowEnergy),
                    hasPHYs: information.supported.contains(.phyConfiguration),
                    discovery: try await discovery(on: index, information, by: management),
                    leftovers: leftovers(on: name, key)))
        }
        return found
    }

    /// What a killed run has left; changes by a run that is still in progress do not count.
    private static func leftovers(on name: String, _ key: String) -> String? {
        guard let share = try? NamedLocks.machine.share(in: "changed/\(key)") else { return nil }
        defer { withExtendedLifetime(share) {} }
        return ControllerRecords.ours?.record(of: key)?.leftovers(on: name)
    }

    /// Whether a program scans. The kernel does not tell, but it has one discovery at a time for all programs:
    /// ours begins only if there is no other, and is ended at once. Another program's continues undisturbed.
    private static func discovery(
        on index: UInt16, _ information: ControllerInformation, by management: ManagementChannel
    ) async throws -> Discovery {
        let removals = management.removals(of: index)
        guard information.current.isSuperset(of: [.powered, .lowEnergy]) else {
            return .unknown("the adapter is off")
        }
        do throws(ManagementError) {
            try await management.perform(.startDiscovery, on: index, during: removals)
        } catch {
            switch error {
            case .refused(.busy, _): return .shared
            case .refused(.permissionDenied, _): return .unknown("CAP_NET_ADMIN is missing")
            case .refused(let status, _): return .refused("\(status)")
            // It is unknown whose discovery runs now, so it is not ended: the kernel ends ours after 10 s.
            case .noAnswer: return .unknown("the kernel does not answer")
            default: throw error
            }
        }
        // If this fails, the kernel ends the discovery by itself after 10 s (DISCOV_LE_TIMEOUT).
        _ = try? await management.perform(.stopDiscovery, on: index, during: removals)
        return .none
    }
}
