import Bytes

/// The checks of an init packet in a device, in the order of its generation.
///
/// docs/formats/init-packet.md; nRF5 SDK 17.1, `nrf_dfu_validation.c` and `nrf_dfu_ver_validation.c`, SDK 14.2,
/// `dfu_req_handling.c`. A packet that cannot be decoded, or is incomplete, never gets here.
struct InitPacketCheck {
    let personality: BootloaderPersonality
    let identity: BootloaderIdentity
    let settings: BootloaderSettings

    private var rules: InitRules { personality.initRules }

    func place(for packet: DecodedInit) throws(Refusal) -> Int {
        do throws(Refusal) {
            let kind = rules.checksVersionsFirst ? try checkOld(packet) : try checkNew(packet)
            return try room(for: packet, kind)
        } catch { throw rules.told(error) }
    }

    private func checkNew(_ packet: DecodedInit) throws(Refusal) -> FirmwareKind {
        try checkSignature(packet)
        guard let kind = packet.kind, kind != .externalApplication else { throw Refusal(.initCommandInvalid) }
        guard packet.hashType == 3 else { throw Refusal(.hashTypeUnsupported) }
        try checkDevice(packet)
        guard fits(packet.softDevices, kind) else { throw Refusal(.softDeviceMismatch) }
        try checkVersion(packet.firmwareVersion, kind)
        guard packet.imageSize > 0 else { throw Refusal(.initCommandInvalid) }
        return kind
    }

    private func checkOld(_ packet: DecodedInit) throws(Refusal) -> FirmwareKind {
        // There is no handler for unsigned packets, whatever their content.
        guard packet.signature != nil else { throw Refusal(.unknownCommand) }
        guard !packet.isDebug else { throw Refusal(.operationFailed) }
        try checkDevice(packet)
        guard fits(packet.softDevices, packet.kind) else { throw Refusal(.softDeviceMismatch) }
        guard let kind = packet.kind, kind != .externalApplication else { throw Refusal(.initCommandInvalid) }
        try checkVersion(packet.firmwareVersion, kind)
        try checkSignature(packet)
        let isHalfEmpty = packet.softDeviceSize == 0 || packet.bootloaderSize == 0
        guard packet.imageSize > 0, !(kind == .softDeviceAndBootloader && isHalfEmpty) else {
            throw Refusal(.invalidParameter)
        }
        return kind
    }

    private func room(for packet: DecodedInit, _ kind: FirmwareKind) throws(Refusal) -> Int {
        if kind == .bootloader || kind == .softDeviceAndBootloader {
            guard Int(packet.bootloaderSize) <= identity.layout.bootloaderRegion else {
                throw Refusal(.insufficientResources)
            }
        }
        let place = identity.layout.place(
            forImageOf: packet.imageSize, besideApplicationOf: settings.applicationSize)
        guard let place else { throw Refusal(.insufficientResources) }
        return place
    }

    /// Everything except an application must be signed, even if applications need not be. A device without a key
    /// accepts any signature, as it cannot verify it.
    private func checkSignature(_ packet: DecodedInit) throws(Refusal) {
        let isRequired =
            rules.checksVersionsFirst || identity.key != nil || (packet.kind ?? .application) != .application
        guard isRequired else { return }
        guard let signature = packet.signature else { throw Refusal(.signatureMissing) }
        guard signature.type == 0 else { throw Refusal(.signatureTypeWrong) }
        guard signature.bytes.count == 64 else { throw Refusal(.operationFailed) }
        guard packet.signed.count <= rules.signedMaximum, identity.accepts(signature.bytes, of: packet.signed)
        else { throw Refusal(.invalidObject) }
    }

    private func checkDevice(_ packet: DecodedInit) throws(Refusal) {
        guard let hardware = packet.hardwareVersion else { throw Refusal(.initCommandInvalid) }
        guard hardware == identity.hardwareVersion else { throw Refusal(.hardwareMismatch) }
    }

    private func fits(_ list: [UInt32], _ kind: FirmwareKind?) -> Bool {
        let hasInstalled = settings.softDevice.map { list.contains(UInt32($0)) }
        switch rules.softDeviceRule {
        case .listed(let unchecked): return kind.map(unchecked.contains) ?? false || hasInstalled ?? false
        case .leadingZero(let unlisted, let zeroMayLead):
            guard let hasInstalled else { return list.first ?? 0 == 0 }
            guard let first = list.first else { return kind.map(unlisted.contains) ?? false }
            if first != 0 { return hasInstalled }
            return switch kind {
            case .application: list.count == 1 || zeroMayLead
            case .bootloader, .softDeviceAndBootloader: true
            case .softDevice, .externalApplication, nil: false
            }
        }
    }

    private func checkVersion(_ version: UInt32?, _ kind: FirmwareKind) throws(Refusal) {
        if kind == .softDevice, !rules.comparesSoftDeviceVersion { return }
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

package struct Refusal: Error, Hashable, Sendable {
    package let code: ResultCode
    /// The extended code; present exactly if `code` announces it.
    package let extended: ExtendedCode?

    package init(_ code: ResultCode) {
        self.code = code
        extended = nil
    }

    package init(_ extended: ExtendedCode) {
        code = .extendedError
        self.extended = extended
    }

    package var bytes: [UInt8] { [code.rawValue] + (extended.map { [$0.rawValue] } ?? []) }
}

/// The second byte of an extended error, after `60 op 0B` (nordic-secure.md, Refusals).
///
/// nRF5 SDK 17.1, `nrf_dfu_handling_error.h`.
package enum ExtendedCode: UInt8, Sendable {
    /// No handler for this command: the response of SDK 13 and 14 to an unsigned packet.
    case unknownCommand = 0x03
    case initCommandInvalid = 0x04
    case versionTooLow = 0x05
    case hardwareMismatch = 0x06
    case softDeviceMismatch = 0x07
    case signatureMissing = 0x08
    /// The hash is not SHA-256.
    case hashTypeUnsupported = 0x09
    /// The signature is not ECDSA over P-256.
    case signatureTypeWrong = 0x0B
    /// The hash of the image does not match the init packet.
    case verificationFailed = 0x0C
}
