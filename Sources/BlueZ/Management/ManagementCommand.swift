import Bluetooth
import Bytes

/// A command to the kernel's management interface, with its parameters (BlueZ `doc/mgmt-api.txt`).
///
///     0  2  opcode
///     2  2  controller index; FFFF for none
///     4  2  length of the parameters
///     6  …  parameters
///
/// All little-endian. Addresses are sent least significant byte first, followed by a type: 1 LE public, 2 LE random.
enum ManagementCommand: Equatable, Sendable {
    case readIndexList
    case readInformation
    case setPowered(Bool)
    case setLowEnergy(Bool)
    /// BR/EDR on or off; off only while the controller is off.
    case setClassic(Bool)
    /// The address that it uses without BR/EDR, all zero for none; only while the controller is off.
    case setStaticAddress(DeviceAddress?)
    /// Starts advertising; for kernels before 5.11.
    case addAdvertising(Advertising)
    /// First of two steps to start advertising: its parameters (kernel 5.11).
    case addAdvertisingParameters(Advertising)
    /// Second step: the data. It also replaces earlier data.
    case addAdvertisingData(Advertising)
    case removeAdvertising(instance: UInt8)
    case disconnect(DeviceAddress)
    case getConnections
    /// Starts the search for LE devices, public and random.
    case startDiscovery
    case stopDiscovery
    /// The parameters for links to these devices; replaces the kernel's whole list.
    case loadConnectionParameters([ConnectionParameters])
    /// Selects the PHYs that the controller uses.
    case setPHY(PHYSelection)
    /// Reads which PHYs the controller supports and uses.
    case getPHY
    case confirmPairing(DeviceAddress)
    case declinePairing(DeviceAddress)
    case declinePasskey(DeviceAddress)

    /// The index of commands and events that concern no controller.
    static let noController: UInt16 = 0xFFFF
    /// LE public and LE random, as a discovery's type.
    static let lowEnergyDiscovery: UInt8 = 0x06

    /// How many entries of 15 bytes fit a command, whose length is a 16-bit number.
    private static let mostConnectionParameters = (Int(UInt16.max) - 2) / 15

    var opcode: UInt16 { code.opcode }
    var name: String { code.name }

    private var code: (opcode: UInt16, name: String) {
        switch self {
        case .readIndexList: (0x0003, "Read Controller Index List")
        case .readInformation: (0x0004, "Read Controller Information")
        case .setPowered: (0x0005, "Set Powered")
        case .setLowEnergy: (0x000D, "Set Low Energy")
        case .disconnect: (0x0014, "Disconnect")
        case .getConnections: (0x0015, "Get Connections")
        case .confirmPairing: (0x001C, "User Confirmation Reply")
        case .declinePairing: (0x001D, "User Confirmation Negative Reply")
        case .declinePasskey: (0x001F, "User Passkey Negative Reply")
        case .startDiscovery: (0x0023, "Start Discovery")
        case .stopDiscovery: (0x0024, "Stop Discovery")
        case .setClassic: (0x002A, "Set BR/EDR")
        case .setStaticAddress: (0x002B, "Set Static Address")
        case .loadConnectionParameters: (0x0035, "Load Connection Parameters")
        case .addAdvertising: (0x003E, "Add Advertising")
        case .removeAdvertising: (0x003F, "Remove Advertising")
        case .getPHY: (0x0044, "Get PHY Configuration")
        case .setPHY: (0x0045, "Set PHY Configuration")
        case .addAdvertisingParameters: (0x0054, "Add Extended Advertising Parameters")
        case .addAdvertisingData: (0x0055, "Add Extended Advertising Data")
        }
    }

    func packet(for index: UInt16) -> [UInt8] {
        var parameters = ByteWriter()
        switch self {
        case .readIndexList, .readInformation, .getConnections, .getPHY: break
        case .setPowered(let isOn), .setLowEnergy(let isOn), .setClassic(let isOn):
            parameters.integer(UInt8(isOn ? 1 : 0))
        case .setStaticAddress(let address):
            parameters.append(address.map { $0.bytes.reversed() } ?? [UInt8](repeating: 0, count: 6))
        case .addAdvertising(let advertising): advertising.write(to: &parameters)
        case .addAdvertisingParameters(let advertising): advertising.writeParameters(to: &parameters)
        case .addAdvertisingData(let advertising): advertising.writeData(to: &parameters)
        case .removeAdvertising(let instance): parameters.integer(instance)
        case .disconnect(let address), .confirmPairing(let address), .declinePairing(let address),
            .declinePasskey(let address):
            parameters.append(address.managementBytes)
        case .startDiscovery, .stopDiscovery: parameters.integer(Self.lowEnergyDiscovery)
        case .loadConnectionParameters(let list):
            let list = list.prefix(Self.mostConnectionParameters)
            parameters.integer(UInt16(list.count))
            for entry in list { entry.write(to: &parameters) }
        case .setPHY(let selection): parameters.integer(selection.rawValue)
        }
        var packet = ByteWriter()
        packet.integer(opcode)
        packet.integer(index)
        packet.integer(UInt16(clamping: parameters.bytes.count))
        packet.append(parameters.bytes)
        return packet.bytes
    }
}

/// The parameters for links to one device (Vol 6, Part B, 4.5.1 and 4.5.2).
struct ConnectionParameters: Equatable, Sendable {
    var address: DeviceAddress
    /// Time between two connection events, in steps of 1.25 ms.
    var interval: Duration
    /// How long a link lives without packets, in steps of 10 ms.
    var supervisionTimeout: Duration

    ///     0  7  address and type
    ///     7  2  minimum interval, 1.25 ms
    ///     9  2  maximum interval, 1.25 ms
    ///    11  2  latency
    ///    13  2  supervision timeout, 10 ms
    func write(to writer: inout ByteWriter) {
        writer.append(address.managementBytes)
        let steps = LinkSteps(interval: interval, supervisionTimeout: supervisionTimeout)
        writer.integer(steps.interval)
        writer.integer(steps.interval)
        writer.integer(UInt16(0))
        writer.integer(steps.supervisionTimeout)
    }
}

/// Interval and supervision timeout in a controller's steps, within the range it accepts (Vol 4, Part E, 7.8.18).
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
}

/// The PHYs that a controller supports and uses.
///
///     0  4  supported
///     4  4  of these, what may be selected
///     8  4  selected
struct PHYConfiguration: Equatable, Sendable {
    let configurable: PHYSelection
    /// What is selected; PHYs that cannot be configured have to stay in it.
    let selected: PHYSelection

    init(parsing reader: inout ByteReader) throws(ByteError) {
        _ = try reader.integer("supported PHYs", as: UInt32.self)
        configurable = PHYSelection(rawValue: try reader.integer("configurable PHYs"))
        selected = PHYSelection(rawValue: try reader.integer("selected PHYs"))
    }

    /// The selection with LE 1M and 2M added where they are configurable.
    var withFast: PHYSelection { selected.union(configurable.intersection(.fast)) }
}
