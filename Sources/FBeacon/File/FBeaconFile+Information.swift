extension FBeaconFile {
    /// The fields that the vendor's SDK hands to an application for a file, and no others (fbeacon.md, Layout).
    public struct Information: Hashable, Sendable {
        /// The bootloader's version; in an open container the lowest one required, 0 for any.
        public let bootloader: UInt16
        /// CRC-16 of the payload; in a vendor's file of something that is not in it.
        public let binCRC: UInt16
        /// Bytes of the payload.
        public let length: UInt32
        /// The lowest installed version that may be updated, and the version that is installed.
        public let versionRange: VersionRange
        /// The model as text; nil when the file does not name it, as no vendor's file does.
        public let modelType: String?
        /// The model's number; 0 when only ``modelType`` names it.
        public let modelTypeNum: UInt16
        /// 1 for an application.
        public let uploadModel: UInt16
        /// CRC-16 of the header, as the header has it.
        public let crc: UInt16
    }

    /// Two versions as they stand in a header: nothing promises that they rise.
    public struct VersionRange: Hashable, Sendable {
        /// The lowest installed version that may be updated.
        public let start: UInt16
        /// The version that is installed.
        public let end: UInt16
    }

    /// What the vendor's SDK would say about this file.
    public var information: Information {
        Information(
            bootloader: header.bootloader, binCRC: header.binCRC, length: header.length,
            versionRange: VersionRange(start: header.versionStart, end: header.versionEnd),
            modelType: modelType, modelTypeNum: header.modelNumber, uploadModel: header.uploadModel,
            crc: header.crc)
    }
}
