import Digests

/// Whether a device takes an init packet, check by check in the order of SDK 15 and later.
///
/// docs/formats/init-packet.md; nRF5 SDK 17.1, `nrf_dfu_validation.c` and `nrf_dfu_ver_validation.c`. What does not
/// decode, or is not complete, never gets here.
struct InitPacketCheck {
    let personality: BootloaderPersonality
    let identity: BootloaderIdentity
    let settings: BootloaderSettings

    /// The address at which the packet's image goes.
    func place(for packet: DecodedInit) throws(Refusal) -> Int {
        try checkSignature(packet)
        guard let kind = packet.kind, kind != .externalApplication else {
            throw Refusal(.initCommandInvalid)
        }
        guard packet.hashType == 3 else { throw Refusal(.hashTypeUnsupported) }
        guard let hardware = packet.hardwareVersion else { throw Refusal(.initCommandInvalid) }
        guard hardware == identity.hardwareVersion else { throw Refusal(.hardwareMismatch) }
        guard fits(packet.softDevices, kind) else { throw Refusal(.softDeviceMismatch) }
        try checkVersion(packet.firmwareVersion, kind)
        guard packet.imageSize > 0 else { throw Refusal(.initCommandInvalid) }
        if kind == .bootloader || kind == .softDeviceAndBootloader {
            guard Int(packet.bootloaderSize) <= FlashLayout.bootloaderRegion else {
                throw Refusal(.insufficientResources)
            }
        }
        let place = identity.layout.place(
            forImageOf: packet.imageSize, besideApplicationOf: settings.applicationSize)
        guard let place else { throw Refusal(.insufficientResources) }
        return place
    }

    /// Everything but an application must be signed even where applications need not be. A device
    /// without a key takes any signature: it has nothing to hold it against.
    private func checkSignature(_ packet: DecodedInit) throws(Refusal) {
        let isRequired = identity.key != nil || (packet.kind ?? .application) != .application
        guard isRequired else { return }
        guard let signature = packet.signature else { throw Refusal(.signatureMissing) }
        guard signature.type == 0 else { throw Refusal(.signatureTypeWrong) }
        guard signature.bytes.count == 64 else { throw Refusal(.operationFailed) }
        guard identity.accepts(signature.bytes, of: packet.signed) else { throw Refusal(.invalidObject) }
    }

    private func fits(_ list: [UInt32], _ kind: FirmwareKind) -> Bool {
        guard let installed = settings.softDevice else { return list.first ?? 0 == 0 }
        guard let first = list.first else { return personality.kindsWithoutSoftDevices.contains(kind) }
        if first != 0 { return list.contains(UInt32(installed)) }
        return switch kind {
        case .application: list.count == 1 || personality.acceptsZeroBesideSoftDevices
        case .bootloader, .softDeviceAndBootloader: true
        case .softDevice, .externalApplication: false
        }
    }

    private func checkVersion(_ version: UInt32?, _ kind: FirmwareKind) throws(Refusal) {
        let isHighEnough: (UInt32) -> Bool =
            switch (kind, personality.versionRule) {
            case (.bootloader, _), (.softDeviceAndBootloader, _): { $0 > settings.bootloaderVersion }
            case (_, .anything): { _ in true }
            case (_, .sameOrNewer): { $0 >= settings.applicationVersion }
            case (_, .newer): { $0 > settings.applicationVersion }
            }
        guard let version else {
            if kind == .softDevice || (kind == .application && personality.versionRule == .anything) {
                return
            }
            throw Refusal(.initCommandInvalid)
        }
        guard isHighEnough(version) else { throw Refusal(.versionTooLow) }
    }
}
