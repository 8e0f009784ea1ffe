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
        var services = [Service.genericAccess(description.name)]
        if description.needsEncryption { services.append(.genericAttribute) }
        switch application.revision {
        case .none: break
        case .version: services.append(.information([0x2A26: version]))
        case .text(let text): services.append(.information([0x2A26: text]))
        }
        if let percent = description.batteryPercent {
            services.append(.readable(0x180F, [0x2A19: [percent]]))
        }
        guard application.hasServer else { return AttributeTable(services) }
        let entry = Entry(
            smpCharacteristic, [.writeCommand, .notify], maximumLength: description.maximumMTU - 3,
            needsEncryption: description.needsEncryption)
        return AttributeTable(services + [Service(smpService, [entry])])
    }
}
