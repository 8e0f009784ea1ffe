import Bluetooth
import Bytes

/// The commands of a host that has a controller to itself (Vol 4, Part E, 7). The kernel's host sends most of
/// these, so they are never sent on a raw channel.
extension HCICommand {
    static func disconnect(_ handle: UInt16) -> Self {
        // Remote User Terminated Connection.
        Self(Opcode.disconnect, "Disconnect", handle, [0x13])
    }

    static let setEventMask = Self(
        // Disconnection, Hardware Error, LE Meta; the events of commands and data packets cannot be masked (7.3.1).
        0x0C01, "Set Event Mask", nil, UInt64(0x2000_0000_0000_8010).bytes())
    static let reset = Self(0x0C03, "Reset")
    /// For controllers that have BR/EDR too (7.3.79).
    static let supportLowEnergy = Self(0x0C6D, "Write LE Host Support", nil, [1, 0])
    static let readVersion = Self(0x1001, "Read Local Version Information")
    static let readCommands = Self(0x1002, "Read Local Supported Commands")
    static let readBufferSize = Self(0x1005, "Read Buffer Size")
    static let readAddress = Self(0x1009, "Read BD_ADDR")

    static func setLowEnergyEventMask(_ mask: UInt64) -> Self {
        Self(0x2001, "LE Set Event Mask", nil, mask.bytes())
    }
    static let readLowEnergyBufferSize = Self(0x2002, "LE Read Buffer Size")
    static let readLowEnergyFeatures = Self(0x2003, "LE Read Local Supported Features")
    static func setRandomAddress(_ address: DeviceAddress) -> Self {
        Self(0x2005, "LE Set Random Address", nil, address.bytes.reversed())
    }
    static let readAcceptListSize = Self(0x200F, "LE Read Filter Accept List Size")
    static let clearAcceptList = Self(Opcode.clearAcceptList, "LE Clear Filter Accept List")
    static func addToAcceptList(_ peer: DeviceAddress) -> Self {
        Self(Opcode.addToAcceptList, "LE Add Device To Filter Accept List", nil, peer.hciBytes)
    }
    static func removeFromAcceptList(_ peer: DeviceAddress) -> Self {
        Self(Opcode.removeFromAcceptList, "LE Remove Device From Filter Accept List", nil, peer.hciBytes)
    }
    static func readPeerFeatures(_ handle: UInt16) -> Self {
        Self(Opcode.readPeerFeatures, "LE Read Remote Features", handle)
    }
    static let readStates = Self(0x201C, "LE Read Supported States")
    /// Sets the longest data packets for new links.
    static let suggestDataLength = Self(
        0x2024, "LE Write Suggested Default Data Length", nil, longestDataBytes)

    static func acceptParameters(_ handle: UInt16, _ steps: LinkSteps) -> Self {
        Self(
            0x2020, "LE Remote Connection Parameter Request Reply", handle,
            steps.bytes + [0, 0, 0, 0])
    }
    static func refuseParameters(_ handle: UInt16) -> Self {
        // Unacceptable Connection Parameters.
        Self(0x2021, "LE Remote Connection Parameter Request Negative Reply", handle, [0x3B])
    }

    /// The window of scanning and connecting, in steps of 0.625 ms. The interval is as long, so there is no pause.
    private static let window: UInt16 = 96  // 60 ms

    /// Sets the parameters of an active scan: every report, from all senders.
    static func setScanParameters(ownType: UInt8) -> Self {
        Self(
            0x200B, "LE Set Scan Parameters", nil,
            [1] + window.bytes() + window.bytes() + [ownType, 0])
    }
    static func scan(_ isOn: Bool) -> Self {
        Self(Opcode.scan, "LE Set Scan Enable", nil, [isOn ? 1 : 0, 0])
    }

    /// Sets the parameters of an extended active scan, on LE 1M and, if `coded`, on LE Coded in turns.
    static func setExtendedScanParameters(ownType: UInt8, coded: Bool) -> Self {
        let phy = [1] + (coded ? window * 2 : window).bytes() + window.bytes()
        return Self(
            0x2041, "LE Set Extended Scan Parameters", nil,
            [ownType, 0, coded ? 0x05 : 0x01] + phy + (coded ? phy : []))
    }
    static func scanExtended(_ isOn: Bool) -> Self {
        // No filter of duplicates, no duration, no period.
        Self(Opcode.scanExtended, "LE Set Extended Scan Enable", nil, [isOn ? 1 : 0, 0, 0, 0, 0, 0])
    }

    /// Connects to the first peer on the filter accept list that advertises.
    static func createConnection(_ steps: LinkSteps, ownType: UInt8) -> Self {
        Self(
            Opcode.createConnection, "LE Create Connection", nil,
            window.bytes() + window.bytes() + [1] + [0, 0, 0, 0, 0, 0, 0] + [ownType] + steps.bytes
                + [0, 0, 0, 0])
    }
    static func createExtendedConnection(_ steps: LinkSteps, ownType: UInt8, coded: Bool) -> Self {
        let phy =
            (coded ? window * 2 : window).bytes() + window.bytes() + steps.bytes + [0, 0, 0, 0] as [UInt8]
        return Self(
            Opcode.createExtendedConnection, "LE Extended Create Connection", nil,
            [1, ownType] + [0, 0, 0, 0, 0, 0, 0] + [coded ? 0x05 : 0x01] + phy + (coded ? phy : []))
    }
    static let cancelConnection = Self(Opcode.cancelConnection, "LE Create Connection Cancel")
}

extension DeviceAddress {
    /// Type and address as in commands to a controller: 0 public, 1 random; least significant byte first.
    var hciBytes: [UInt8] { [kind == .public ? 0 : 1] + bytes.reversed() }
}
