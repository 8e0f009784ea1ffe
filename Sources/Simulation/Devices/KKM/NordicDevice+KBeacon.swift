package import Bluetooth
import Bytes

/// A KBeacon's session, which guards Nordic's entry into the bootloader (kbeacon.md, Attributes, Update).
extension NordicDevice {
    var isSwitchedOff: Bool { program == .application && kbeacon?.memory.isOff == true }

    public var announcementDue: Duration? { program == .application ? kbeacon?.announcementDue : nil }

    public mutating func announce(by server: inout AttributeServer, at now: Duration) -> [BeaconReaction] {
        kbeacon?.announce(isSubscribed: server.isSubscribed(to: AttributeTable.kbeaconEvents), at: now) ?? []
    }

    mutating func startSession() {
        guard program == .application, kbeacon != nil else { return }
        let (checksum, version) = (CRC32.checksum(bootloader.applicationImage), runningVersion)
        kbeacon?.start(application: checksum, version: version)
    }

    mutating func converse(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        let outcome = server.receive(packet)
        if let (value, uuid) = outcome.event?.write, uuid == AttributeTable.kbeaconWrite {
            kbeacon?.longestValue = server.agreedMTU - 3
            let isSubscribed = server.isSubscribed(to: AttributeTable.kbeaconAnswers)
            let answer = outcome.answer.map { [BeaconReaction.send($0, at: now)] } ?? []
            return answer + (kbeacon?.receive(value, isSubscribed: isSubscribed, at: now) ?? [])
        }
        switch outcome.event {
        case .written(_, description.entryCharacteristic) where kbeacon?.allowsEntry() == false:
            let code = AttributeRefusal.Code.insufficientAuthorization.rawValue
            return [.send(AttributeServer.refusal(of: packet, code: code), at: now)]
        case .confirmed where kbeacon?.confirmed() == true: return []
        default: return carryOut(outcome, of: packet, by: server, at: now)
        }
    }
}

extension AttributeTable {
    /// The service of a KBeacon's session (kbeacon.md, Attributes).
    package static let kbeaconService = BluetoothUUID(0xFEA0)
    package static let kbeaconWrite = BluetoothUUID(0xFEA1)
    package static let kbeaconAnswers = BluetoothUUID(0xFEA2)
    package static let kbeaconEvents = BluetoothUUID(0xFEA3)

    fileprivate static func kbeacon(_ session: KBeaconSession, _ buttonless: ButtonlessKind) -> AttributeTable
    {
        let style = session.description.handshake
        // A client that was not told the MTU must assume the minimum.
        let longest = (style.reportsMTU ? style.maximumMTU : AttributeServer.defaultMTU) - 3
        let entries = [
            Entry(kbeaconWrite, [.write, .writeCommand], maximumLength: longest),
            Entry(kbeaconAnswers, .notify), Entry(kbeaconEvents, .indicate),
        ]
        // A System ID of 8 bytes has two bytes without meaning in the middle.
        let low = Array(session.address.bytes.reversed())
        let isFilled = session.description.fillsSystemID
        let information: KeyValuePairs<UInt16, [UInt8]> = [
            0x2A23: isFilled ? low.prefix(3) + [0xFE, 0xFF] + low.suffix(3) : low,
            0x2A24: Array(session.description.model.utf8), 0x2A26: Array(session.versionText.utf8),
        ]
        return AttributeTable([
            .genericAccess(session.memory.settings.name), buttonless == .bonded ? .genericAttribute : nil,
            .readable(0x180A, information), Service(kbeaconService, entries), buttonless.service,
        ])
    }
}

extension KBeaconSession {
    mutating func allowsEntry() -> Bool {
        if link.stage == .refused { statistics.writesAfterRefusal += 1 }
        if isAuthenticated { return !description.buttonlessRefusesSession }
        guard description.buttonlessNeedsSession else { return true }
        statistics.note(.commandBeforeSession)
        return false
    }

    func server(_ buttonless: ButtonlessKind) -> AttributeServer {
        AttributeServer(.kbeacon(self, buttonless), maximumMTU: description.handshake.maximumMTU)
    }

    /// `plan` with the name, version and iBeacon values that have changed since the description.
    func applyingChanges(to plan: AdvertisingPlan, name: String) -> AdvertisingPlan {
        guard var advertiser = plan.advertiser as? KKMAdvertiser else { return plan }
        if memory.settings.name != name { advertiser.name = memory.settings.name }
        if memory.isUpdated {
            advertiser.version = TwoPartVersion(versionText: versionText) ?? advertiser.version
        }
        let (iBeacon, old) = (memory.settings.iBeacon, factory.iBeacon)
        if iBeacon["uuid"] != old["uuid"], let uuid = iBeacon["uuid"]?.text.flatMap({ BluetoothUUID($0) }) {
            advertiser.standard.uuid = uuid
        }
        if let major = iBeacon["majorID"]?.number { advertiser.standard.major = UInt16(clamping: major) }
        if let minor = iBeacon["minorID"]?.number { advertiser.standard.minor = UInt16(clamping: minor) }
        var plan = plan
        plan.advertiser = advertiser
        return plan
    }
}

extension NordicDescription {
    /// Makes the beacon a KBeacon: its application runs, and advertises like KKM's unless it already has a plan.
    package mutating func becomeKBeacon(_ kbeacon: KBeaconDescription) {
        self.kbeacon = kbeacon
        program = .application
        (legacy, receiver) = (nil, nil)
        guard advertising == nil else { return }
        var advertiser = KKMAdvertiser(address: address)
        advertiser.name = name
        advertiser.generation = kbeacon.generation.rawValue
        advertiser.battery = kbeacon.battery
        advertiser.version = TwoPartVersion(versionText: kbeacon.version) ?? advertiser.version
        advertising = AdvertisingPlan(advertiser)
    }

    func session(_ faults: [Fault], retained: KBeaconMemory?) -> KBeaconSession? {
        kbeacon.map {
            KBeaconSession(
                $0, at: address, advertising?.advertiser.standard ?? StandardIdentity(address: address),
                name: name, faults: faults, retained: retained)
        }
    }
}

extension TwoPartVersion {
    /// The version in a session's text: `V6.20` is 6 and 20, `V6.02` is 6 and 2, `V2` is 2 and 0.
    init?(versionText text: String) {
        let numbers = text.hasPrefix("V") ? String(text.dropFirst()) : text
        self.init(numbers.contains(".") ? numbers : numbers + ".0")
    }
}
