public import BluetoothTypes

/// What a vendor's library tells its application about an update, beyond phases and progress
/// (dialog-suota.md, Events). Interfaces show as much of it as they like.
public enum UpdateDetail: Equatable, Sendable {
    /// What a record of the log is about.
    public enum LogKind: String, Sendable {
        /// A step.
        case info
        /// A block.
        case block
        /// A chunk.
        case chunk
    }

    /// Where a chunk stands; everything counts from 1.
    public struct Position: Equatable, Sendable {
        /// Among all chunks of the update.
        public let chunk: Int
        /// Chunks of the update.
        public let chunks: Int
        /// Among the chunks of its block.
        public let chunkOfBlock: Int
        /// Chunks of a full block.
        public let chunksPerBlock: Int
        /// Its block.
        public let block: Int
        /// Blocks of the update.
        public let blocks: Int

        /// A chunk at the given place.
        public init(
            chunk: Int, of chunks: Int, chunkOfBlock: Int, chunksPerBlock: Int, block: Int, blocks: Int
        ) {
            self.chunk = chunk
            self.chunks = chunks
            self.chunkOfBlock = chunkOfBlock
            self.chunksPerBlock = chunksPerBlock
            self.block = block
            self.blocks = blocks
        }
    }

    /// The link that stands is no longer what was told of it.
    case linkChanged(LinkDescription)
    /// The device's services are known.
    case servicesDiscovered([BluetoothUUID])
    /// A value was read.
    case characteristicRead(Characteristic, [UInt8])
    /// The device says something of itself, as its Device Information service names it.
    case deviceInformation(name: String, value: String)
    /// All that is wanted of its Device Information was read; whether there was anything.
    case deviceInformationRead(isPresent: Bool)
    /// Everything that the device offers was read.
    case ready
    /// A record for a log: the procedure's state, and what happens in it.
    case log(state: String, kind: LogKind, text: String)
    /// A chunk has left.
    case chunk(Position)
    /// The device has taken a block; both count from 1.
    case block(number: Int, of: Int)
    /// The device has verified the image: seconds since it was told to start, and from the first length or packet until
    /// everything had arrived; nil where that is not known.
    case verified(seconds: Double?, uploadSeconds: Double?)
    /// The settings were read after the update, and compared with those before it.
    case settingsCompared(SettingsComparison)
    /// The device was told to restart.
    case rebootSent
}
