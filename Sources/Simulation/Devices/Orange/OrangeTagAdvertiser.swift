package import Bluetooth

/// A Beacon Tag by Orange: an iBeacon that, after a press of its button, lists its service and accepts a connection.
///
/// Orange's Android library requires iBeacon and service in one report, but the service only fits in the scan response.
package struct OrangeTagAdvertiser: Advertiser {
    package var name = "Beacon Tag"
    package var standard: StandardIdentity

    package init(address: DeviceAddress) { standard = StandardIdentity(address: address) }

    package static let ownFrames: [FrameName] = [.orangeTag]
    package var usualFrames: [FrameName] { [.iBeacon] }
    package var connectable: ConnectableWindow.Rule { .afterClick }

    /// The firmware revision.
    package var information: [UInt16: [UInt8]] { [0x2A26: Array("1.0".utf8)] }

    package func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        guard frame == .orangeTag else { return standard.payload(of: frame, at: moment) }
        return moment.isConnectable ? AdvertisedFrame([.flags], .service(Self.service)) : nil
    }

    /// The service while the tag is connectable, and the name.
    package func scanResponse(at moment: AdvertisingMoment) -> AdvertisedFrame? {
        guard moment.isConnectable else { return nameStructures.first.map { AdvertisedFrame($0) } }
        return AdvertisedFrame([], .service(Self.service), nameStructures)
    }

    static let service = AttributeTable.orangeTag(0x0800)
}

extension FrameName { package static let orangeTag = FrameName("orange-tag") }
