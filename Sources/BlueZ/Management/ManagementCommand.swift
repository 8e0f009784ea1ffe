import Bluetooth
import Bytes

/// A command to the kernel's management interface, with its parameters (BlueZ `doc/mgmt-api.txt`).
///
///     0  2  opcode
///     2  2  controller index; 0xFFFF for none
///     4  2  length of the parameters
///     6  …  parameters
///
/// All little-endian. Addresses are sent least significant byte first, followed by a type: 1 LE public, 2 LE random.
struct ManagementCommand: Equatable, Sendable {
    let opcode: UInt16
    let name: String
    /// How long the kernel may take for the command: switching a controller on takes the longest.
    private(set) var limit = Duration.seconds(10)
    private let parameters: [UInt8]

    init(_ opcode: UInt16, _ name: String, _ parameters: [UInt8] = []) {
        (self.opcode, self.name, self.parameters) = (opcode, name, parameters)
    }

    /// A command that the kernel keeps waiting while the controller makes a link (`hci_le_create_conn_sync`).
    private static func delayedByConnection(_ opcode: UInt16, _ name: String, _ parameters: [UInt8]) -> Self {
        var command = Self(opcode, name, parameters)
        command.limit += ConnectionTimeout.longest
        return command
    }

    static let readIndexList = Self(0x0003, "Read Controller Index List")
    static let readInformation = Self(0x0004, "Read Controller Information")
    static func setPowered(_ isOn: Bool) -> Self { Self(0x0005, "Set Powered", [isOn ? 1 : 0]) }
    static func setLowEnergy(_ isOn: Bool) -> Self { Self(0x000D, "Set Low Energy", [isOn ? 1 : 0]) }
    static func disconnect(_ peer: DeviceAddress) -> Self { Self(0x0014, "Disconnect", peer.managementBytes) }
    static let getConnections = Self(0x0015, "Get Connections")
    static func confirmPairing(_ peer: DeviceAddress) -> Self {
        Self(0x001C, "User Confirmation Reply", peer.managementBytes)
    }
    static func declinePairing(_ peer: DeviceAddress) -> Self {
        Self(0x001D, "User Confirmation Negative Reply", peer.managementBytes)
    }
    static func declinePasskey(_ peer: DeviceAddress) -> Self {
        Self(0x001F, "User Passkey Negative Reply", peer.managementBytes)
    }
    /// Starts the search for LE devices, public and random.
    static let startDiscovery = delayedByConnection(0x0023, "Start Discovery", [lowEnergyDiscovery])
    static let stopDiscovery = delayedByConnection(0x0024, "Stop Discovery", [lowEnergyDiscovery])
    /// Switches BR/EDR on or off; it can be switched off only while the controller is off.
    static func setClassic(_ isOn: Bool) -> Self { Self(0x002A, "Set BR/EDR", [isOn ? 1 : 0]) }
    /// Sets the address that the controller uses without BR/EDR; nil for none. Allowed only while the controller is
    /// off.
    static func setStaticAddress(_ address: DeviceAddress?) -> Self {
        Self(0x002B, "Set Static Address", address?.bytes.reversed() ?? [UInt8](repeating: 0, count: 6))
    }
    /// Sets the parameters for links to these devices; replaces the kernel's whole list.
    ///
    ///     0   2  number n
    ///     2  15n  address and type (7), parameters (8)
    static func loadConnectionParameters(_ list: [(peer: DeviceAddress, LinkSteps)]) -> Self {
        let list = list.prefix(mostConnectionParameters)
        let entries = list.flatMap { peer, steps in peer.managementBytes + steps.bytes }
        return Self(0x0035, "Load Connection Parameters", UInt16(list.count).bytes() + entries)
    }
    static let readAdvertisingFeatures = Self(0x003D, "Read Advertising Features")
    static let getPHY = Self(0x0044, "Get PHY Configuration")
    static func setPHY(_ phys: PHYSelection) -> Self {
        Self(0x0045, "Set PHY Configuration", phys.rawValue.bytes())
    }
    /// Reads defaults that apply to every program (kernel 5.9).
    static let readDefaults = Self(0x004B, "Read Default System Configuration")
    static func setDefault(_ timeout: ConnectionTimeout) -> Self {
        Self(0x004C, "Set Default System Configuration", timeout.bytes)
    }

    /// The index of commands and events that concern no controller.
    static let noController: UInt16 = 0xFFFF
    /// LE public and LE random, as a discovery's type.
    static let lowEnergyDiscovery: UInt8 = 0x06

    /// How many entries of 15 bytes fit a command, whose length is a 16-bit number.
    private static let mostConnectionParameters = (Int(UInt16.max) - 2) / 15

    func packet(for index: UInt16) -> [UInt8] {
        opcode.bytes() + index.bytes() + UInt16(clamping: parameters.count).bytes() + parameters
    }
}

/// Interval and supervision timeout in a controller's steps, within the range it accepts (Vol 4, Part E, 7.8.18;
/// Vol 6, Part B, 4.5.1 and 4.5.2).
struct LinkSteps: Equatable, Sendable {
    /// Time between two connection events, in steps of 1.25 ms.
    let interval: UInt16
    /// How long a link lives without packets, in steps of 10 ms. It has to exceed two intervals, otherwise the
    /// kernel drops the entry.
    let supervisionTimeout: UInt16

    init(interval: Duration, supervisionTimeout: Duration) {
        self.interval = Self.steps(of: .microseconds(1250), in: interval, within: 6...3200)
        let least = max(10, self.interval / 4 + 1)
        self.supervisionTimeout = Self.steps(
            of: .milliseconds(10), in: supervisionTimeout, within: least...3200)
    }

    init(_ linkRequest: LinkRequest) {
        self.init(interval: linkRequest.interval, supervisionTimeout: linkRequest.supervisionTimeout)
    }

    /// Shortest and longest interval, latency and supervision timeout.
    var bytes: [UInt8] { [interval, interval, 0, supervisionTimeout].flatMap { $0.bytes() } }

    /// Clamped before the conversion to an integer, which traps on values out of range.
    private static func steps(
        of step: Duration, in length: Duration, within range: ClosedRange<UInt16>
    ) -> UInt16 {
        let count = (length / step).rounded()
        return UInt16(min(max(count, Double(range.lowerBound)), Double(range.upperBound)))
    }
}

/// PHYs of a controller, as the management interface numbers them (BlueZ `doc/mgmt-api.txt`, Get PHY Configuration).
struct PHYSelection: OptionSet, Hashable, Sendable {
    let rawValue: UInt32

    /// LE 1M and LE 2M, for sending and receiving: bits 9 to 12.
    static let fast = PHYSelection(rawValue: 0x1E00)
    /// LE 2M, for sending and receiving: bits 11 and 12.
    static let le2M = PHYSelection(rawValue: 0x1800)
    /// LE Coded, for sending and receiving: bits 13 and 14.
    static let coded = PHYSelection(rawValue: 0x6000)
}

/// The PHYs that a controller supports and uses.
///
///     0  4  supported
///     4  4  of these, what may be selected
///     8  4  selected
struct PHYConfiguration: Equatable, Sendable {
    let supported: PHYSelection
    let configurable: PHYSelection
    /// What is selected; PHYs that cannot be configured have to stay in it.
    let selected: PHYSelection

    init(parsing reader: inout ByteReader) throws(ByteError) {
        supported = PHYSelection(rawValue: try reader.integer("supported PHYs"))
        configurable = PHYSelection(rawValue: try reader.integer("configurable PHYs"))
        selected = PHYSelection(rawValue: try reader.integer("selected PHYs"))
    }

    /// The selection with LE 1M, 2M and, if `coded`, LE Coded added where they are configurable.
    func withFast(coded: Bool) -> PHYSelection {
        selected.union(configurable.intersection(coded ? [.fast, .coded] : .fast))
    }

    /// Whether the controller listens on LE Coded. Nil if it supports LE Coded and has not selected it, but either
    /// cannot select it or `isWanted` and will be asked to.
    func coded(isWanted: Bool) -> CodedReception? {
        if !selected.isDisjoint(with: .coded) { return .selected }
        if supported.isDisjoint(with: .coded) { return .missing }
        return isWanted || configurable.isDisjoint(with: .coded) ? nil : .notSelected
    }
}
