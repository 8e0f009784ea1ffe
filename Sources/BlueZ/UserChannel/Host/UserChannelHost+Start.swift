import Bluetooth
import Bytes

/// The abilities of a controller that the host uses.
struct ControllerAbilities: Equatable, Sendable {
    /// The controller's public address, or the random static one that it was given; nil until it is known.
    var address: DeviceAddress?
    /// LE features (Vol 6, Part B, 4.6).
    var features: UInt64 = 0
    /// Whether the controller has the commands of extended scanning and connecting.
    var isExtended = false

    /// The type of the controller's own address in commands: 0 public, 1 random.
    var ownType: UInt8 { address?.kind == .random ? 1 : 0 }
    var hasLongData: Bool { features & LowEnergyFeature.longData != 0 }
    var hasFast: Bool { features & LowEnergyFeature.fast != 0 }
    var hasCoded: Bool { isExtended && features & LowEnergyFeature.coded != 0 }
    /// Whether the controller asks us about a peer's request for other link parameters.
    fileprivate var hasParameterRequests: Bool { features & LowEnergyFeature.parameterRequest != 0 }
}

/// Bits of LE features, which controllers and peers have in common.
enum LowEnergyFeature {
    static let parameterRequest: UInt64 = 1 << 1
    static let longData: UInt64 = 1 << 5
    static let fast: UInt64 = 1 << 8
    static let coded: UInt64 = 1 << 11
}

extension UserChannelHost {
    /// The commands that prepare a controller, in this order, after the reset.
    private static let readings: [HCICommand] = [
        .readVersion, .readCommands, .setEventMask, .supportLowEnergy, .readLowEnergyFeatures, .readAddress,
        .readLowEnergyBufferSize, .readAcceptListSize, .readStates,
    ]
    /// The commands that a controller may refuse.
    private static let optional: Set<UInt16> = [
        HCICommand.readVersion.opcode, HCICommand.supportLowEnergy.opcode, HCICommand.readStates.opcode,
        HCICommand.suggestDataLength.opcode,
    ]

    mutating func noteStart(
        _ command: HCICommand, _ status: HCIStatus, _ parameters: [UInt8], at now: Duration
    ) {
        if status != .success {
            guard Self.optional.contains(command.opcode) else {
                return fail("\(name) cannot be used: \(command.name): \(status)", at: now)
            }
        } else {
            do throws(ByteError) {
                var reader = ByteReader(parameters)
                try learn(from: command, parsing: &reader)
            } catch {
                return fail("\(name) cannot be used: the answer to \(command.name) is too short", at: now)
            }
        }
        switch command {
        case .reset: for command in Self.readings { send(command) }
        case .readStates: finishReadings()
        case .clearAcceptList:
            phase = .ready
            emit(.ready)
        default: break
        }
    }

    /// Sends the commands that depend on the readings. With the last one's answer, the controller is ready.
    private mutating func finishReadings() {
        // Connection Complete, Advertising Report, Connection Update, Read Remote Features Complete.
        var mask: UInt64 = 0x0F
        if controller.hasParameterRequests { mask |= 1 << 5 }
        if controller.hasLongData { mask |= 1 << 6 }
        // Enhanced Connection Complete, Extended Advertising Report.
        if controller.isExtended { mask |= 1 << 9 | 1 << 12 }
        if controller.hasFast || controller.hasCoded { mask |= 1 << 11 }
        send(.setLowEnergyEventMask(mask))
        if controller.hasLongData { send(.suggestDataLength) }
        if controller.ownType == 1, let fallbackAddress { send(.setRandomAddress(fallbackAddress)) }
        send(.clearAcceptList)
    }

    private mutating func learn(from command: HCICommand, parsing reader: inout ByteReader) throws(ByteError)
    {
        switch command {
        case .readCommands:
            let commands = Array(try reader.bytes("commands", 64))
            // Octet 37: bit 5 LE Set Extended Scan Parameters, 6 Enable, 7 LE Extended Create Connection (6.27).
            controller.isExtended = commands[37] & 0xE0 == 0xE0
        case .readLowEnergyFeatures: controller.features = try reader.integer("features")
        case .readAddress:
            let own = try DeviceAddress(parsing: &reader, .public)
            controller.address = own.identifiesController ? own : fallbackAddress
        case .readLowEnergyBufferSize:
            let length: UInt16 = try reader.integer("length")
            let count: UInt8 = try reader.integer("buffers")
            buffers.configure(length: Int(length), count: Int(count))
            // A zero means that the buffers are shared with BR/EDR.
            if length == 0 || count == 0 { send(.readBufferSize) }
        case .readBufferSize:
            let length: UInt16 = try reader.integer("length")
            _ = try reader.integer("SCO length", as: UInt8.self)
            buffers.configure(length: Int(length), count: Int(try reader.integer("buffers", as: UInt16.self)))
        case .readAcceptListSize:
            connector.size = max(1, Int(try reader.integer("accept list size", as: UInt8.self)))
        case .readStates:
            // Bit 23: active scanning and initiating (7.8.27).
            scan.canScanWhileConnecting = try reader.integer("states", as: UInt64.self) & 1 << 23 != 0
        default: break
        }
    }
}
