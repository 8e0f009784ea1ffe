struct ManifestFile: Decodable {
    struct Manifest: Decodable {
        let application: Part?
        let bootloader: Part?
        let softdevice: Part?
        let softdeviceBootloader: Part?
        let dfuVersion: Double?

        enum CodingKeys: String, CodingKey {
            case application, bootloader, softdevice
            case softdeviceBootloader = "softdevice_bootloader"
            case dfuVersion = "dfu_version"
        }

        func part(_ role: FirmwareRole) -> Part? {
            switch role {
            case .application: application
            case .bootloader: bootloader
            case .softdevice: softdevice
            case .softdeviceBootloader: softdeviceBootloader
            }
        }
    }

    struct Part: Decodable {
        let binFile: String?
        let datFile: String?
        let metadata: Metadata?
        let initPacketData: LegacyNotes.Object?
        let bootloaderSize: Double?
        let softdeviceSize: Double?

        enum CodingKeys: String, CodingKey {
            case binFile = "bin_file"
            case datFile = "dat_file"
            case bootloaderSize = "bl_size"
            case softdeviceSize = "sd_size"
            case metadata = "info_read_only_metadata"
            case initPacketData = "init_packet_data"
        }
    }

    struct Metadata: Decodable {
        // Whole numbers in practice; as Int, the decoder's error for other values would not name the field.
        let bootloaderSize: Double?
        let softdeviceSize: Double?

        enum CodingKeys: String, CodingKey {
            case bootloaderSize = "bl_size"
            case softdeviceSize = "sd_size"
        }
    }

    /// Any value; only its presence counts.
    struct Ignored: Decodable {
        init(from decoder: any Decoder) {}
    }

    let manifest: Manifest?
    let files: Ignored?
    let formatVersion: Ignored?

    /// nRF Connect SDK packages list `files` instead of parts.
    var isMCUboot: Bool { files != nil || formatVersion != nil }

    enum CodingKeys: String, CodingKey {
        case manifest, files
        case formatVersion = "format-version"
    }
}
