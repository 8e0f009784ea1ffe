import Bytes

/// The checks of an init packet in a device, in the order of the bootloader's SDK.
///
/// docs/formats/init-packet.md; nRF5 SDK 17.1, `nrf_dfu_validation.c` and `nrf_dfu_ver_validation.c`, SDK 14.2,
/// `dfu_req_handling.c`. A packet that cannot be decoded, or is incomplete, never gets here.
struct InitPacketCheck {
    let personality: SecurePersonality
    let identity: BootloaderIdentity
    let settings: BootloaderSettings

    private var rules: InitRules { personality.initRules }

    /// The address to store the image of an accepted `packet` at.
    func place(for packet: DecodedInit) throws(ResultCode) -> Int {
        do throws(ResultCode) {
            let kind = rules.checksVersionsFirst ? try checkOld(packet) : try checkNew(packet)
            return try address(for: packet, kind)
        } catch { throw rules.resultCode(for: error) }
    }

    private func checkNew(_ packet: DecodedInit) throws(ResultCode) -> FirmwareKind {
        try checkSignature(packet)
        guard let kind = packet.kind, kind != .externalApplication else { throw .initCommandInvalid }
        guard packet.hash?.type == 3 else { throw .hashTypeUnsupported }
        try checkDevice(packet)
        guard fits(packet.softDevices, kind) else { throw .softDeviceMismatch }
        try checkVersion(packet.firmwareVersion, kind)
        guard packet.imageSize > 0 else { throw .initCommandInvalid }
        return kind
    }

    private func checkOld(_ packet: DecodedInit) throws(ResultCode) -> FirmwareKind {
        // There is no handler for unsigned packets, whatever their content.
        guard packet.signature != nil else { throw .unknownCommand }
        guard !packet.isDebug else { throw .operationFailed }
        try checkDevice(packet)
        guard fits(packet.softDevices, packet.kind) else { throw .softDeviceMismatch }
        guard let kind = packet.kind, kind != .externalApplication else { throw .initCommandInvalid }
        try checkVersion(packet.firmwareVersion, kind)
        try checkSignature(packet)
        let isHalfEmpty = packet.softDeviceSize == 0 || packet.bootloaderSize == 0
        guard packet.imageSize > 0, !(kind == .softDeviceAndBootloader && isHalfEmpty) else {
            throw .invalidParameter
        }
        return kind
    }

    private func address(for packet: DecodedInit, _ kind: FirmwareKind) throws(ResultCode) -> Int {
        let address = identity.layout.address(
            forImageOf: packet.imageSize, afterApplicationOf: settings.applicationSize)
        guard let address,
            !kind.hasBootloader || Int(packet.bootloaderSize) <= identity.layout.bootloaderRegion
        else { throw .insufficientResources }
        return address
    }

    /// Everything except an application must be signed, even if applications need not be. A device without a key
    /// accepts any signature, as it cannot verify it.
    private func checkSignature(_ packet: DecodedInit) throws(ResultCode) {
        let isRequired =
            rules.checksVersionsFirst || identity.key != nil || (packet.kind ?? .application) != .application
        guard isRequired else { return }
        guard let signature = packet.signature else { throw .signatureMissing }
        guard signature.type == 0 else { throw .signatureTypeWrong }
        guard signature.bytes.count == 64 else { throw .operationFailed }
        guard packet.signed.count <= rules.signedMaximum, identity.accepts(signature.bytes, of: packet.signed)
        else { throw .invalidObject }
    }

    private func checkDevice(_ packet: DecodedInit) throws(ResultCode) {
        guard let hardware = packet.hardwareVersion else { throw .initCommandInvalid }
        guard hardware == identity.hardwareVersion else { throw .hardwareMismatch }
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

    private func checkVersion(_ version: UInt32?, _ kind: FirmwareKind) throws(ResultCode) {
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
            throw .initCommandInvalid
        }
        guard isHighEnough(version) else { throw .versionTooLow }
    }
}

/// The result of a request: what follows `60 op` in a response (nordic-secure.md, Refusals). An extended error has two
/// bytes, of which the first is 0x0B.
///
/// nRF5 SDK 17.1, `nrf_dfu_req_handler.h` and `nrf_dfu_handling_error.h`.
package enum ResultCode: UInt16, Error, Sendable {
    case success = 0x01
    case opcodeNotSupported = 0x02
    /// A size or parameter that is never valid.
    case invalidParameter = 0x03
    case insufficientResources = 0x04
    /// The object, the init packet or its signature is invalid.
    case invalidObject = 0x05
    /// The object type is unknown (SDK 12 to 14).
    case unsupportedType = 0x07
    case operationNotPermitted = 0x08
    case operationFailed = 0x0A

    /// No handler for this command: the response of SDK 13 and 14 to an unsigned packet.
    case unknownCommand = 0x0B03
    case initCommandInvalid = 0x0B04
    case versionTooLow = 0x0B05
    case hardwareMismatch = 0x0B06
    case softDeviceMismatch = 0x0B07
    case signatureMissing = 0x0B08
    /// The hash is not SHA-256.
    case hashTypeUnsupported = 0x0B09
    /// The signature is not ECDSA over P-256.
    case signatureTypeWrong = 0x0B0B
    /// The hash of the image does not match the init packet.
    case verificationFailed = 0x0B0C

    var isExtended: Bool { rawValue > 0xFF }

    package var bytes: [UInt8] {
        let bytes = rawValue.bytes(.big)
        return isExtended ? bytes : [bytes[1]]
    }
}
