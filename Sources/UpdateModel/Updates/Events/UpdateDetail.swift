public import Bluetooth

/// Details of an update beyond phases and progress, as vendors' libraries report them (dialog-suota.md, Events).
/// Interfaces show as much of them as they need.
public enum UpdateDetail: Equatable, Sendable {
    /// The subject of a log record.
    public enum LogKind: String, Sendable {
        /// A step.
        case info
        case block
        case chunk
    }

    /// The position of a chunk; all counts start at 1.
    public struct Position: Equatable, Sendable {
        /// The number of the chunk in the image, and how many chunks the image has.
        public let chunk, chunks: Int
        /// The number of the chunk in its block.
        public let chunkOfBlock: Int
        /// How many chunks a full block has.
        public let chunksPerBlock: Int
        /// The number of the block, and how many blocks the image has.
        public let block, blocks: Int

        public init(
            chunk: Int, of chunks: Int, chunkOfBlock: Int, chunksPerBlock: Int, block: Int, blocks: Int
        ) {
            (self.chunk, self.chunks, self.chunkOfBlock) = (chunk, chunks, chunkOfBlock)
            (self.chunksPerBlock, self.block, self.blocks) = (chunksPerBlock, block, blocks)
        }
    }

    case linkChanged(LinkDescription)
    /// An image is sent from its first byte, which is at this offset in the update, in bytes. It is not reported again if
    /// only the first packets are repeated. If the first packets ask the device where to continue, it is reported only
    /// if the device has nothing of the image.
    case sentFromFirstByte(at: Int)
    case servicesDiscovered([BluetoothUUID])
    case characteristicRead(Characteristic, [UInt8])
    /// A value of the device's Device Information service, with its name.
    case deviceInformation(name: String, value: String)
    /// Device Information was read as far as needed. `isPresent`: the device has this service.
    case deviceInformationRead(isPresent: Bool)
    /// The version of the application that runs before the update, as the procedure has read it.
    case versionBefore(String)
    /// Everything that the device offers was read.
    case ready
    /// A log record: the procedure's state, and what happens in it.
    case log(state: String, kind: LogKind, text: String)
    case chunk(Position)
    /// The device has accepted a block, by its number from 1; `of` is the number of blocks.
    case block(number: Int, of: Int)
    /// The device has verified the image. `seconds`: since it was told to begin the update. `uploadSeconds`: from the
    /// first length or packet until the last byte had arrived. Nil if unknown.
    case verified(seconds: Double?, uploadSeconds: Double?)
    /// The settings were read after the update and compared with those before.
    case settingsCompared(SettingsComparison)
    case rebootSent
}

public enum UpdatePhase: String, Sendable {
    /// Searching for the device and connecting.
    case connecting
    case enteringBootloader = "entering-bootloader"
    /// Negotiating with the device what is sent.
    case preparing
    case transferring
    /// The device verifies and installs.
    case activating
    case rebooting
    case verifying
}

/// A notice of a procedure to observers.
public enum UpdateNotice: Equatable, Sendable {
    case phase(UpdatePhase)
    case part(UpdatePart)
    /// The application is about to be told to start its bootloader. `isNamed`: the application was given a name for the
    /// bootloader to advertise.
    case leavingApplication(isNamed: Bool)
    /// The device still has data of an earlier attempt; firmware is sent from this offset in bytes, which may be 0.
    case resumed(at: Int)
    /// Something is repeated, from this offset in bytes.
    ///
    /// After a lost link, the offset is the last that the device has accepted, or the start of the part if the protocol
    /// cannot resume; ``resumed(at:)`` follows with what the device has kept. `link` is the number of the next link since the
    /// last one with progress, without links that only restart the device; nil if no link was lost.
    case retry(reason: FailureCode, from: Int, link: Int? = nil)
    /// Firmware up to this offset in bytes has arrived, within a block or object that is not accepted yet.
    case reached(Int)
    /// The device has accepted a block or object that ends at this offset in bytes.
    case accepted(upTo: Int)
    /// A problem that does not stop the update.
    case warning(FailureCode, String)
    case detail(UpdateDetail)

    /// The `warning` that the installed version is installed again, if the user accepts that. Otherwise there is nothing to
    /// do, and this throws `message`.
    package static func sameVersion(
        allowedBy risks: Set<Risk>, during step: String = "preparing", _ message: String, warning: String
    ) throws(UpdateFailure) -> [UpdateNotice] {
        guard risks.contains(.sameVersion) else {
            throw UpdateFailure(
                .device.sameVersion, during: step, message: message,
                remedy: "nothing to do; \(.risk, "same-version") installs it again")
        }
        return [.warning(.device.sameVersion, warning)]
    }
}
