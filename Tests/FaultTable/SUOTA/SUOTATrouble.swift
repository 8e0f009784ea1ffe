import Dialog
package import Simulation
import UpdateBench
import UpdateModel

/// The faults of one SUOTA run.
package struct SUOTATrouble: FaultTrouble {
    /// The initial conditions.
    package enum Circumstance: String, CaseIterable, Sendable {
        /// The image is one for chips of another family.
        case wrongFamily = "the image of another family"
        case namelessChip = "a model number that names no chip"
        /// Pins of an EEPROM for a flash, or the other way round.
        case wrongMemory = "the other memory's pins"
        /// The image does not fit the bank, or the partition.
        case smallBank = "a bank that is too small"
        /// The sent image is already in the bank that would be overwritten, and is not the running one.
        case sameImage = "the same image in the target bank"
        /// The running image has the version that is sent.
        case sameVersion = "the same version"
        /// Blocks of 512 bytes, whatever the device.
        case largeBlocks = "blocks of 512 bytes"
        /// The bank of the running image was requested.
        case runningBank = "bank 1"
        /// The same, with the risk accepted.
        case forcedBank = "bank 1 by force"
        /// Another phone has a link to the device.
        case otherLink = "another link"
        /// The device does not report the running version.
        case silentVersion = "no version shown"
    }

    package var faults: [Fault]
    package var circumstances: [Circumstance]

    package init(_ faults: [Fault]) { self.init(faults, []) }

    package init(_ faults: [Fault], _ circumstances: [Circumstance]) {
        self.faults = faults
        self.circumstances = circumstances
    }

    package var description: String {
        (faults.map { "\($0)" } + circumstances.map(\.rawValue)).joined(separator: ", ")
    }

    /// Client errors that a fault can cause: a device with false answers can cause any, and one that continues after a
    /// lost link cannot be told over that link to release its buffer.
    var excuses: Set<SUOTARule> {
        faults.reduce(into: []) { excuses, fault in
            switch fault {
            case .suota(.replaceStatus), .suota(.answerMemoryInfo), .attributeFault:
                excuses.formUnion(SUOTARule.allCases)
            case .suota(.ignoreReboot): excuses.insert(.startWithoutAbort)
            default: break
            }
        }
    }

    func apply(to bench: inout SUOTABench) {
        bench.faults += faults
        for circumstance in circumstances { circumstance.apply(to: &bench) }
    }
}

extension SUOTATrouble.Circumstance {
    fileprivate func apply(to bench: inout SUOTABench) {
        switch self {
        case .wrongFamily: bench.imageFamily = bench.personality.family == .da1468x ? .da1458x : .da1468x
        case .wrongMemory:
            bench.preferences.pins = bench.preferences.pins.memory == .spi ? .vendorI2C : .vendorSPI
        case .largeBlocks: bench.preferences.blockSize = 512
        case .runningBank: bench.preferences.bank = .first
        case .forcedBank:
            bench.preferences.bank = .first
            bench.preferences.risks = [.runningBank]
        case .smallBank, .sameImage, .sameVersion, .otherLink, .silentVersion, .namelessChip:
            let before = bench.change
            bench.change = {
                before(&$0)
                alter(&$0)
            }
        }
    }

    private func alter(_ device: inout SUOTADescription) {
        let sent = SUOTAColumn.firmware
        switch self {
        case .smallBank where device.personality.family == .da1458x:
            // Space for the installed image, but for less than the sent one.
            let room = sent.payload.count - 1
            device.personality.banks[1] = device.personality.banks[0] + 64 + room
        case .smallBank: device.personality.largestImage = sent.payload.count
        case .sameImage:
            device.board.first?.id = 2
            device.board.second = sent
        case .sameVersion:
            device.board.first?.version = sent.version
            device.board.second?.version = sent.version
        case .otherLink: device.board.otherLinks = 1
        case .silentVersion: device.reportsVersion = false
        case .namelessChip: device.model = "Tag"
        case .wrongFamily, .wrongMemory, .largeBlocks, .runningBank, .forcedBank: break
        }
    }
}
