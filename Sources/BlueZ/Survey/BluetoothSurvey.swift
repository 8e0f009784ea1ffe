package import Bluetooth

/// The state of Bluetooth on this machine, as facts without a verdict.
public struct BluetoothSurvey: Equatable, Sendable {
    package enum Discovery: Equatable, Sendable {
        case none
        /// Another program scans, in a way that allows sharing.
        case shared
        /// The controller refuses to scan, with the reason: usually a scan that bypasses the kernel.
        case refused(String)
        case unknown(String)
    }

    /// What a controller claims to support.
    package struct Radio: Equatable, Sendable {
        package let phys: [PHY]
        /// Whether the controller hears extended advertising.
        package let hasExtended: Bool
        /// Whether the kernel listens on LE Coded.
        package let isCodedSelected: Bool

        package init(phys: [PHY] = [.le1M, .le2M], hasExtended: Bool = true, isCodedSelected: Bool = false) {
            (self.phys, self.hasExtended, self.isCodedSelected) = (phys, hasExtended, isCodedSelected)
        }

        init(_ configuration: PHYConfiguration, hasExtended: Bool) {
            let optional: [(PHY, PHYSelection)] = [(.le2M, .le2M), (.leCoded, .coded)]
            phys = [.le1M] + optional.filter { !configuration.supported.isDisjoint(with: $0.1) }.map(\.0)
            self.hasExtended = hasExtended
            isCodedSelected = !configuration.selected.isDisjoint(with: .coded)
        }
    }

    public struct Controller: Equatable, Sendable {
        /// `hci0` and the like.
        package let name: String
        package let address: String
        package let isPowered: Bool
        package let supportsLowEnergy: Bool
        package let isLowEnergyOn: Bool
        /// Nil if the kernel does not report it, as before 4.19 or without `CAP_NET_ADMIN`.
        package let radio: Radio?
        package let discovery: Discovery
        /// What a killed run of this program has left, in words; nil if nothing.
        package let leftovers: String?

        package init(
            name: String, address: String, isPowered: Bool = true, supportsLowEnergy: Bool = true,
            isLowEnergyOn: Bool = true, radio: Radio? = Radio(), discovery: Discovery = .none,
            leftovers: String? = nil
        ) {
            (self.name, self.address, self.isPowered) = (name, address, isPowered)
            (self.supportsLowEnergy, self.isLowEnergyOn, self.radio) = (
                supportsLowEnergy, isLowEnergyOn, radio
            )
            (self.discovery, self.leftovers) = (discovery, leftovers)
        }

        package func isMeant(by choice: ControllerName) -> Bool {
            "\(choice)" == name || "\(choice)" == address
        }
    }

    package enum Block: String, Equatable, Sendable {
        /// By software; `rfkill unblock` lifts it.
        case soft
        case hard
    }

    /// The controllers; nil when the kernel has no Bluetooth at all.
    package let controllers: [Controller]?
    package let block: Block?
    package let missingCapabilities: [String]
    /// Whether BlueZ's daemon runs, which may connect to a beacon first; nil if that cannot be seen.
    package let hasDaemon: Bool?
    package let kernel: KernelRelease

    package init(
        controllers: [Controller]?, block: Block? = nil, missingCapabilities: [String] = [],
        hasDaemon: Bool? = false, kernel: KernelRelease
    ) {
        (self.controllers, self.block, self.missingCapabilities) = (controllers, block, missingCapabilities)
        (self.hasDaemon, self.kernel) = (hasDaemon, kernel)
    }
}

extension BluetoothSurvey {
    package static func take(
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
            let key = address.identifiesController ? "\(address)" : name
            found.append(
                Controller(
                    name: name, address: "\(address)",
                    isPowered: information.current.contains(.powered),
                    supportsLowEnergy: information.supported.contains(.lowEnergy),
                    isLowEnergyOn: information.current.contains(.lowEnergy),
                    radio: try await radio(of: index, information, by: management),
                    discovery: try await discovery(on: index, information, by: management),
                    leftovers: leftovers(on: name, key, isPowered: information.current.contains(.powered))))
        }
        return found
    }

    private static func radio(
        of index: UInt16, _ information: ControllerInformation, by management: ManagementChannel
    ) async throws(ManagementError) -> Radio? {
        guard information.supported.contains(.phyConfiguration) else { return nil }
        do throws(ManagementError) {
            let phys = try await management.phys(of: index)
            return Radio(phys, hasExtended: try await management.hasExtended(index))
        } catch {
            if case .refused = error { return nil }
            throw error
        }
    }

    /// What a killed run has left; changes by a run that is still in progress do not count.
    private static func leftovers(on name: String, _ key: String, isPowered: Bool) -> String? {
        guard let share = try? NamedLocks.machine.share(in: "changed/\(key)") else { return nil }
        defer { withExtendedLifetime(share) {} }
        return ControllerRecords.ours?.record(of: key)?.leftovers(on: name, isPowered: isPowered)
    }

    /// Whether a program scans. The kernel does not report that, but it has one discovery at a time for all programs: ours
    /// begins only if there is no other, and is ended at once. The discovery of another program is not disturbed.
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

/// A release of Linux, such as `6.1.0-56-amd64`.
package struct KernelRelease: Equatable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    /// The first two numbers; nil if the text begins otherwise.
    package var version: (major: Int, minor: Int)? {
        let numbers = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
            .prefix(2).map { Int($0.prefix { $0.isASCII && $0.isNumber }) }
        guard numbers.count == 2, let major = numbers[0], let minor = numbers[1] else { return nil }
        return (major, minor)
    }

    /// Whether it is at least this version; a version that cannot be parsed counts as new.
    package func isAtLeast(_ major: Int, _ minor: Int) -> Bool {
        guard let version else { return true }
        return (version.major, version.minor) >= (major, minor)
    }

    /// Whether the kernel corrupts its list of a link's channels when two programs connect to one device, as Debian's
    /// 6.1 does (`list_del corruption` in `hci_chan_del`, seen with 6.1.0-56 and 6.1.192).
    package var losesChannels: Bool { version.map { $0 == (6, 1) } ?? false }
}
