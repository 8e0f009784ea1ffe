import Bluetooth
import Bytes

typealias MCUbootScenarioBeacon = FlashScenarioBeacon<MCUbootDevice>

extension MCUbootDescription {
    init(_ file: inout BeaconEntry) throws(YAMLProblem) {
        self.init(address: file.address)
        name = try file.text("name") ?? name
        rssi = try file.number("rssi") ?? rssi
        advertising = try file.advertising()
        advertisingInterval = try file.advertisingInterval("advertising_ms")
        advertisesService = try file.truth("advertises_service") ?? advertisesService
        batteryPercent = try file.number("battery", in: 0...100)
        maximumMTU = try file.number("mtu", in: 23...517) ?? maximumMTU
        if try file.choice("flash", of: ["stock": false, "instant": true]) ?? false {
            timing = .instant
            server.answerTime = .zero
        }
        slotSize = (try file.number("slot_kb", in: 16...1024) ?? slotSize / 1024) * 1024
        guard slotSize % FlashModel.pageSize == 0 else {
            throw file.problem("slot_kb must be a multiple of 4")
        }
        let keyHash = try file["key_hash"].map { (value) throws(YAMLProblem) in try value.keyHash() }
        bootloader.keyHash = keyHash
        images = [
            try .read(&file, "version", "second_version", keyHash)
                ?? Pair(first: MCUbootFirmware(keyHash: keyHash).file)
        ]
        if let core = try Pair.read(&file, "network_version", "second_network_version", keyHash) {
            images.append(core)
        }
        needsEncryption = try file.truth("needs_pairing") ?? needsEncryption
        isBonded = try file.truth("bonded") ?? isBonded
        try bootloader.read(&file)
        try server.read(&file)
        try application.read { file[$0] }
        for value in try file["applications"]?.list() ?? [] {
            let (version, application) = try value.application(application)
            applications[version] = application
        }
    }
}

extension MCUbootDescription.Pair {
    /// The images of one number; nil if neither key is given.
    fileprivate static func read(
        _ file: inout BeaconEntry, _ first: String, _ second: String, _ keyHash: [UInt8]?
    ) throws(YAMLProblem) -> Self? {
        let one = try file[first].map { (value) throws(YAMLProblem) in try value.imageVersion() }
        let two = try file[second].map { (value) throws(YAMLProblem) in try value.imageVersion() }
        guard one != nil || two != nil else { return nil }
        return Self(
            first: MCUbootFirmware(version: one ?? "1.0.0", keyHash: keyHash).file,
            second: two.map { MCUbootFirmware(version: $0, keyHash: keyHash).file })
    }
}

extension MCUbootRules {
    fileprivate mutating func read(_ file: inout BeaconEntry) throws(YAMLProblem) {
        let modes: [String: Mode] = [
            "swap-scratch": .swapScratch, "swap-move": .swapMove, "swap-offset": .swapOffset,
            "overwrite-only": .overwriteOnly, "direct-xip": .directXIP,
            "direct-xip-revert": .directXIPRevert, "ram-load": .ramLoad,
        ]
        mode = try file.choice("bootloader", of: modes) ?? mode
        requiresSHA256 = try file.truth("requires_sha256") ?? requiresSHA256
        decrypts = try file.truth("decrypts") ?? decrypts
        preventsDowngrade = try file.truth("prevents_downgrade") ?? preventsDowngrade
        countsSecurity = try file.truth("security_counter") ?? countsSecurity
        swapTime = try file["swap_ms"]?.milliseconds(upTo: 600_000) ?? swapTime
    }
}

extension SMPServerRules {
    fileprivate mutating func read(_ file: inout BeaconEntry) throws(YAMLProblem) {
        implementation = try file["server"]?.choice() ?? implementation
        hasDefiniteLengths =
            try file.choice("lengths", of: ["definite": true, "indefinite": false]) ?? hasDefiniteLengths
        addsCode = try file.truth("adds_code") ?? addsCode
        leavesOutFalseFlags = try file.truth("leaves_out_false") ?? leavesOutFalseFlags
        reassembles = try file.truth("reassembles") ?? reassembles
        bufferSize = try file.number("buffer_size", in: 64...4096) ?? (reassembles ? 2475 : bufferSize)
        buffers = try file.number("buffers", in: 2...64) ?? buffers
        reportsBuffers = try file.truth("tells_buffers") ?? reportsBuffers
        modeAnswer = try file["tells_mode"]?.choice() ?? modeAnswer
        reportsSlots = try file.truth("tells_slots") ?? reportsSlots
        checksUpload = try file.truth("checks_upload") ?? checksUpload
        erasesProgressively = try file.truth("erases_progressively") ?? erasesProgressively
        needsAlignedChunks = try file.truth("needs_aligned_chunks") ?? needsAlignedChunks
        confirmsOtherImages = try file.truth("confirms_other_images") ?? confirmsOtherImages
        confirmsRunningImage = try file.truth("confirms_running") ?? confirmsRunningImage
        listsOtherCores = try file.truth("lists_other_cores") ?? listsOtherCores
        erasesStorage = try file.truth("erases_storage") ?? erasesStorage
        sendsShortPieces = try file.truth("short_pieces") ?? sendsShortPieces
    }
}

extension MCUbootApplication {
    fileprivate mutating func read(_ value: (String) -> YAMLValue?) throws(YAMLProblem) {
        confirmsItself = try value("confirms_itself")?.truth() ?? confirmsItself
        hasServer = try value("smp")?.truth() ?? hasServer
        switch try value("firmware_revision")?.text() {
        case nil: break
        case "version": revision = .version
        case "none": revision = .none
        case let text?: revision = .text(text)
        }
    }
}

extension YAMLValue {
    fileprivate func imageVersion() throws(YAMLProblem) -> String {
        let words = try text()
        guard MCUbootVersion(words) != nil else {
            throw problem("'\(words)' is not a version: it must be like 1.2.3 or 1.2.3+4")
        }
        return words
    }

    fileprivate func keyHash() throws(YAMLProblem) -> [UInt8] {
        let bytes = (try? HexText.decode(try text())) ?? []
        guard [32, 48, 64].contains(bytes.count) else {
            throw problem("a hash of a key must have 64, 96 or 128 hexadecimal digits")
        }
        return bytes
    }

    /// A version, and how the application with that version behaves; keys that are not given are as in `usual`.
    fileprivate func application(_ usual: MCUbootApplication) throws(YAMLProblem) -> (
        String, MCUbootApplication
    ) {
        let values = try values(of: [
            "version", "confirms_itself", "smp", "crashes", "hangs", "firmware_revision", "linked_slot",
        ])
        guard let value = values["version"] else { throw problem("'version' is missing") }
        let version = MCUbootVersion(try value.imageVersion())?.description ?? ""
        var application = usual
        try application.read { values[$0] }
        application.crashes = try values["crashes"]?.truth() ?? false
        application.hangs = try values["hangs"]?.truth() ?? false
        application.linkedSlot = try values["linked_slot"]?.number(in: 0...1)
        return (version, application)
    }
}

extension ScenarioKind {
    static let mcuboot = ScenarioKind(
        name: "mcuboot",
        faults: [
            "lose_request": fault { .loseRequest($0) },
            "cut_at_request": fault { .cutAtRequest($0) },
            "cut_in_request": fault { .cutInRequest($0) },
            "power_loss_at_request": fault { .powerLossAtRequest($0) },
            "busy_request": fault { .busy($0) },
            "meaningless_error": fault { .meaninglessError($0) },
            "lose_answer": fault { .loseAnswer($0) },
            "double_answer": fault { .doubleAnswer($0) },
            "delay_answer": fault { .delayAnswer($0, by: .seconds(5)) },
            "malformed_answer": fault { .malformedAnswer($0) },
            "endless_answer": fault { .endlessAnswer($0) }, "no_free_slot": fault { .noFreeSlot($0) },
            "wrong_offset": fault { .wrongOffset($0) }, "fail_flash_write": fault { .failFlashWrite($0) },
            "erase_ends_link": fault { .eraseEndsLink($0) }, "ignore_reset": fault { .ignoreReset($0) },
            "refuse_confirm": fault { _ in .refuseConfirm },
            "power_loss_in_swap": fault { .powerLossInSwap($0) },
            "keep_old_application": fault { _ in .keepOldApplication },
        ],
        tray: [
            MCUbootScenarioBeacon.placed(10) {
                var description = MCUbootDescription(address: $0)
                (description.name, description.rssi) = ("Lantern 10", $1)
                description.bootloader.swapTime = .seconds(3)
                return MCUbootScenarioBeacon(description: description)
            }
        ], read: MCUbootScenarioBeacon.read)

    private static func fault(_ make: @escaping @Sendable (Int) -> MCUbootFault) -> NamedFault {
        NamedFault { .mcuboot(make($0)) }
    }
}

extension SimulatedAdapter {
    public var mcubootBeacons: [MCUbootBeacon] { peers.compactMap { $0 as? MCUbootBeacon } }
}
