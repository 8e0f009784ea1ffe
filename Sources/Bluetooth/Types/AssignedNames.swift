extension BluetoothUUID {
    /// The Bluetooth SIG's name of a service (Assigned Numbers, 3.4), for services found on beacons.
    public var serviceName: String? { short.flatMap { Self.services[$0] } }

    /// The Bluetooth SIG's name of a characteristic (Assigned Numbers, 3.8), for those found on beacons.
    public var characteristicName: String? { short.flatMap { Self.characteristics[$0] } }

    private static let services: [UInt16: String] = [
        0x1800: "Generic Access", 0x1801: "Generic Attribute", 0x1802: "Immediate Alert",
        0x1803: "Link Loss", 0x1804: "Tx Power", 0x1805: "Current Time", 0x1809: "Health Thermometer",
        0x180A: "Device Information", 0x180D: "Heart Rate", 0x180F: "Battery",
        0x1812: "Human Interface Device", 0x1815: "Automation IO", 0x181A: "Environmental Sensing",
        0x181C: "User Data", 0x1827: "Mesh Provisioning", 0x1828: "Mesh Proxy",
        0xFE59: "Nordic Secure DFU", 0xFEAA: "Eddystone", 0xFEF5: "Dialog SUOTA",
    ]

    private static let characteristics: [UInt16: String] = [
        0x2A00: "Device Name", 0x2A01: "Appearance", 0x2A02: "Peripheral Privacy Flag",
        0x2A03: "Reconnection Address", 0x2A04: "Peripheral Preferred Connection Parameters",
        0x2A05: "Service Changed", 0x2A06: "Alert Level", 0x2A07: "Tx Power Level", 0x2A19: "Battery Level",
        0x2A23: "System ID", 0x2A24: "Model Number String", 0x2A25: "Serial Number String",
        0x2A26: "Firmware Revision String", 0x2A27: "Hardware Revision String",
        0x2A28: "Software Revision String", 0x2A29: "Manufacturer Name String",
        0x2A2A: "IEEE 11073-20601 Regulatory Certification Data List", 0x2A2B: "Current Time",
        0x2A37: "Heart Rate Measurement", 0x2A50: "PnP ID", 0x2A6D: "Pressure", 0x2A6E: "Temperature",
        0x2A6F: "Humidity", 0x2AA6: "Central Address Resolution",
        0x2AC9: "Resolvable Private Address Only", 0x2B29: "Client Supported Features",
        0x2B2A: "Database Hash", 0x2B3A: "Server Supported Features",
    ]
}
