package import Bluetooth

extension AttributeTable {
    /// The SMP service (mcuboot-smp.md, Layout).
    package static let smpService = BluetoothUUID(high: 0x8D53_DC1D_1DB7_4CD3, low: 0x868B_8A52_7460_AA84)
    /// The only characteristic of that service: requests are Write Commands, answers are notifications.
    package static let smpCharacteristic = BluetoothUUID(
        high: 0xDA2E_7828_FBCE_4E01, low: 0xAE9E_2611_7499_7C48)

    static func mcuboot(
        _ description: MCUbootDescription, _ application: MCUbootApplication, version: String
    ) -> AttributeTable {
        let revision: String? =
            switch application.revision {
            case .none: nil
            case .version: version
            case .text(let text): text
            }
        let entry = Entry(
            smpCharacteristic, [.writeCommand, .notify], maximumLength: description.maximumMTU - 3,
            needsEncryption: description.needsEncryption)
        return AttributeTable([
            .genericAccess(description.name), description.needsEncryption ? .genericAttribute : nil,
            revision.map { .information([0x2A26: $0]) },
            description.batteryPercent.map { .readable(0x180F, [0x2A19: [$0]]) },
            application.hasServer ? Service(smpService, [entry]) : nil,
        ])
    }
}
