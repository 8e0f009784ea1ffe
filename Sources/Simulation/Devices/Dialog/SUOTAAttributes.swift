package import Bluetooth
import Bytes

extension AttributeTable {
    /// The SUOTA service (dialog-suota.md, Layout).
    package static let suotaService = BluetoothUUID(0xFEF5)
    /// MEM_DEV: memory, bank and commands.
    package static let suotaMemoryDevice = BluetoothUUID(
        high: 0x8082_CAA8_41A6_4021, low: 0x91C6_56F9_B954_CC34)
    /// GPIO_MAP: the pins of the memory.
    package static let suotaPinMap = BluetoothUUID(high: 0x7242_49F0_5EC3_4B5F, low: 0x8804_4234_5AF0_8651)
    package static let suotaMemoryInfo = BluetoothUUID(
        high: 0x6C53_DB25_47A1_45FE, low: 0xA022_7C92_FB33_4FD4)
    package static let suotaPatchLength = BluetoothUUID(
        high: 0x9D84_B9A3_000C_49D8, low: 0x9183_855B_673F_DA31)
    package static let suotaPatchData = BluetoothUUID(high: 0x4578_71E8_D516_4CA1, low: 0x9116_57D0_B17B_9CB2)
    package static let suotaStatus = BluetoothUUID(high: 0x5F78_DF94_798C_46F5, low: 0x990A_B3EB_6A06_5C88)
    package static let suotaPSM = BluetoothUUID(high: 0x61C8_849C_F639_4765, low: 0x946E_5C34_19BE_BB2A)
    /// VERSION: the version of the service, 13 for 1.3.
    package static let suotaVersion = BluetoothUUID(high: 0x64B4_E8B5_0DE5_401B, low: 0xA21D_ACC8_DB3B_913A)
    /// PATCH_DATA_CHAR_SIZE: the longest write to PATCH_DATA, in bytes.
    package static let suotaPatchDataSize = BluetoothUUID(
        high: 0x42C3_DFDD_77BE_4D9C, low: 0x8454_8F87_5267_FB3B)
    package static let suotaMTU = BluetoothUUID(high: 0xB7DE_1EEA_823D_43BB, low: 0xA3AF_C490_3DFC_E23C)

    /// The services of a device with SUOTA; `version` is the running image's, nil if the device does not report it.
    static func suota(_ description: SUOTADescription, version: String?) -> AttributeTable {
        let information = Service.information([
            0x2A29: description.manufacturer, 0x2A24: description.model,
            0x2A26: version.map { description.firmwareRevision ?? $0 }, 0x2A28: version,
        ])
        // The service over which the client sends the PIN.
        let commands = Entry(
            fbeaconCommands, [.write, .writeCommand], maximumLength: description.personality.maximumMTU - 3)
        let feasycom = Service(fbeaconService, [Entry(fbeaconAnswers, .notify), commands])
        return AttributeTable([
            .genericAccess(description.name), information, suotaService(description.personality),
            description.pin == nil ? nil : feasycom,
        ])
    }

    private static func suotaService(_ personality: SUOTAPersonality) -> Service {
        let empty = [UInt8](repeating: 0, count: 4)
        var entries = [
            Entry(suotaMemoryDevice, [.read, .write], value: empty, maximumLength: 4),
            Entry(suotaPinMap, [.read, .write], value: empty, maximumLength: 4),
            Entry(suotaMemoryInfo, .read, value: empty),
            Entry(suotaPatchLength, [.read, .write], value: [0, 0], maximumLength: 2),
            Entry(
                suotaPatchData, [.read, .write, .writeCommand], value: [0],
                maximumLength: personality.patchDataSize), Entry(suotaStatus, [.read, .notify], value: [0]),
        ]
        if let psm = personality.psm { entries.append(Entry(suotaPSM, .read, value: psm.bytes())) }
        if let version = personality.version {
            entries += [
                Entry(suotaVersion, .read, value: [version]),
                Entry(
                    suotaPatchDataSize, .read,
                    value: UInt16(clamping: personality.patchDataSize).bytes()),
                Entry(suotaMTU, .read, value: UInt16(AttributeServer.defaultMTU).bytes()),
            ]
        }
        return Service(suotaService, entries)
    }
}

/// The target of a SUOTA client's write (dialog-suota.md, Layout).
package enum SUOTATarget: Hashable, Sendable {
    case memoryDevice, pinMap, patchLength, patchData

    package init?(_ uuid: BluetoothUUID) {
        switch uuid {
        case AttributeTable.suotaMemoryDevice: self = .memoryDevice
        case AttributeTable.suotaPinMap: self = .pinMap
        case AttributeTable.suotaPatchLength: self = .patchLength
        case AttributeTable.suotaPatchData: self = .patchData
        default: return nil
        }
    }

    /// Whether `value` has the length that the receiver demands.
    func accepts(_ value: [UInt8]) -> Bool {
        switch self {
        case .memoryDevice, .pinMap: value.count == 4
        case .patchLength: value.count == 2
        case .patchData: true
        }
    }
}

/// The PIN that a Feasycom beacon on a Dialog chip requires before an update (fbeacon.md, Products, PIN). Until it is
/// sent, writes to the SUOTA service are refused with ATT error 0x08; public sources define no code, so we chose it.
struct SUOTAGate: Hashable, Sendable {
    static let refusal: UInt8 = 0x08

    private let access: FBeaconAccess
    private var session: FBeaconSession

    init(_ pin: String?) {
        access = FBeaconAccess(pin: pin)
        session = FBeaconSession(access)
    }

    var isOpen: Bool { session.isTrusted }

    mutating func connect() { session = FBeaconSession(access) }

    mutating func answers(to value: [UInt8]) -> [String] {
        if value == FBeaconSession.opening {
            session.isOpen = true
            return ["$OK,Opened$"]
        }
        guard session.isOpen else { return [] }
        let (lines, isEndless) = session.commands(in: value)
        return lines.filter { !$0.isEmpty }.map { answer(to: String(decoding: $0, as: UTF8.self)) }
            + (isEndless ? [FBeaconAnswers.error] : [])
    }

    private mutating func answer(to command: String) -> String {
        guard command.hasPrefix("AT+PIN=") else {
            return command == "AT" && isOpen ? FBeaconAnswers.done : FBeaconAnswers.error
        }
        session.isTrusted = command.dropFirst(7) == access.pin ?? ""
        return session.isTrusted ? FBeaconAnswers.done : FBeaconAnswers.error
    }
}
