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
