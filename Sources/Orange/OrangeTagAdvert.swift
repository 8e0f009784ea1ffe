import Bluetooth
package import UpdateModel

/// The service of Orange's Beacon Tag, 59EC0800-0B1E-4063-8B16-B00B50AA3A7E, in a list of services.
package struct OrangeTagAdvert: FrameFormat {
    package static let kind = FrameKind("orange-tag", of: .orangeTag)
    package static let places: [FramePlace] = [
        .service(BluetoothUUID(high: 0x59EC_0800_0B1E_4063, low: 0x8B16_B00B_50AA_3A7E))
    ]

    package init(parsing reader: inout FrameReader) {}
}

extension Maker {
    package static let orange = Maker(
        "orange", "Orange", vendorWay: "there is no public update; ask the operator who sold it")
}

extension Family {
    package static let orangeTag = Family("orange-tag", of: .orange)
}
