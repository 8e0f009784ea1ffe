import Bluetooth

extension AttributeTable {
    /// The services of an application that accepts updates itself over `service`.
    static func receiver(
        name: String, revision: String?, _ receiver: ApplicationReceiver, _ service: Service
    ) -> AttributeTable {
        var services = [
            Service(BluetoothUUID(0x1800), [Entry(BluetoothUUID(0x2A00), .read, value: Array(name.utf8))]),
            Service(BluetoothUUID(0x1801), [Entry(BluetoothUUID(0x2A05), .indicate)]),
        ]
        if let revision {
            services.append(
                Service(
                    BluetoothUUID(0x180A),
                    [Entry(BluetoothUUID(0x2A26), .read, value: Array(revision.utf8))]))
        }
        if receiver.otherServices == .full {
            services.append(
                Service(BluetoothUUID(0x180F), [Entry(BluetoothUUID(0x2A19), [.read, .notify], value: [80])]))
        }
        return AttributeTable(services + [service])
    }

    /// Legacy DFU in an application. Its version is meant to be 0.8, but its host overwrites that with the attribute's
    /// handle.
    static func legacyReceiver(_ receiver: ApplicationReceiver) -> Service {
        let isForbidden = receiver.isSwitchedOff
        return Service(
            legacyService,
            [
                Entry(legacyPacket, .writeCommand, maximumLength: 253, isForbidden: isForbidden),
                Entry(legacyControlPoint, [.write, .notify], maximumLength: 253, isForbidden: isForbidden),
                Entry(legacyVersion, .read, value: [0x1E, 0x00], isForbidden: isForbidden),
            ])
    }

    /// Secure DFU in an application.
    static func secureReceiver(_ receiver: ApplicationReceiver) -> Service {
        let isForbidden = receiver.isSwitchedOff
        return Service(
            dfuService,
            [
                Entry(
                    controlPoint, [.write, .notify], maximumLength: 23, needsSubscription: true,
                    isForbidden: isForbidden),
                Entry(packet, .writeCommand, maximumLength: 244, isForbidden: isForbidden),
            ])
    }
}
