package import Bluetooth
import Bytes

/// An Orange Beacon Tag, as a value. After a press of its button it lists its service and accepts a connection, over
/// which its settings can be read and written. It stores them permanently, and advertises by them.
///
/// Its wake-up and sleep settings are stored without effect: it advertises all the time.
package struct OrangeTagDevice: FlashDevice {
    package let description: OrangeTagDescription
    /// A slot of `slotSize` bytes for each value: the value's length and bytes; erased if there is no value.
    package var flash = FlashModel(timing: .instant, capacity: 1, cells: .rewritable)

    /// The first application error (Core, Vol 3, Part F, 3.4.1.1).
    private static let applicationError: UInt8 = 0x80
    private static let slotSize = 32
    static let size = FlashModel.pageSize

    private var plan: AdvertisingPlan
    private let faults: Set<OrangeTagFault>
    private var writes = 0

    package init(
        _ description: OrangeTagDescription, faults: [Fault] = [], retained: [UInt8]? = nil, at now: Duration
    ) {
        self.description = description
        self.faults = Set(faults.compactMap { if case .orange(let fault) = $0 { fault } else { nil } })
        plan = description.advertiser.plan
        plan.start = now
        for (part, value) in description.values { store(value, as: part) }
        if let retained { flash.place(retained, at: 0) }
        advertise()
    }

    package var flashSize: Int { Self.size }
    package var startTime: Duration { .zero }
    package var address: DeviceAddress { description.advertiser.address }

    package func value(of part: OrangeTagPart) -> [UInt8]? {
        let start = Self.start(of: part)
        let content = flash.content(start..<start + Self.slotSize)
        guard let length = content.first, length < Self.slotSize else { return nil }
        return Array(content.dropFirst().prefix(Int(length)))
    }

    private mutating func store(_ value: [UInt8], as part: OrangeTagPart) {
        flash.place(
            [UInt8(clamping: value.count)] + value.prefix(Self.slotSize - 1), at: Self.start(of: part))
    }

    private static func start(of part: OrangeTagPart) -> Int {
        (OrangeTagPart.allCases.firstIndex(of: part) ?? 0) * slotSize
    }

    private mutating func advertise() {
        func word(_ part: OrangeTagPart) -> UInt16? {
            value(of: part).flatMap { $0.count == 2 ? UInt16($0[0]) | UInt16($0[1]) << 8 : nil }
        }
        if let uuid = value(of: .uuid).flatMap({ $0.count == 16 ? BluetoothUUID(wire: $0.reversed()) : nil })
        {
            plan.advertiser.standard.uuid = uuid
        }
        plan.advertiser.standard.major = word(.major) ?? plan.advertiser.standard.major
        plan.advertiser.standard.minor = word(.minor) ?? plan.advertiser.standard.minor
        if let units = word(.interval), units > 0 { plan.period = OrangeTagPart.intervalUnit * Int(units) }
    }

    package var advertising: BeaconAdvertising? {
        BeaconAdvertising(plan, from: address, rssi: description.advertiser.rssi)
    }

    package mutating func connect(at now: Duration) -> AttributeServer {
        AttributeServer(.orangeTag(self, called: plan.advertiser.name), maximumMTU: description.maximumMTU)
    }

    /// Answers a packet. A written value must have the length of the current one.
    package mutating func receive(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        let outcome = server.receive(packet)
        var answer = outcome.answer
        if let (value, uuid) = outcome.event?.write,
            let part = OrangeTagPart.allCases.first(where: { $0.characteristic == uuid })
        {
            writes += 1
            if faults.contains(.refuseWrite(writes)) {
                answer = AttributeServer.refusal(of: packet, code: Self.applicationError)
            } else if value.count != self.value(of: part)?.count {
                answer = AttributeServer.refusal(
                    of: packet, code: AttributeRefusal.Code.invalidLength.rawValue)
            } else if !faults.contains(.forgetWrite(writes)) {
                store(value, as: part)
                server.set(value, for: uuid)
                advertise()
            }
        }
        return answer.map { [.send($0, at: now)] } ?? []
    }

    package mutating func reset(at now: Duration) -> Duration { .zero }
}

extension AttributeTable {
    /// A UUID of Orange: 59ECxxxx-0B1E-4063-8B16-B00B50AA3A7E.
    static func orangeTag(_ number: UInt16) -> BluetoothUUID {
        BluetoothUUID(
            high: 0x59EC_0000_0B1E_4063 + UInt64(number) * 0x1_0000_0000, low: 0x8B16_B00B_50AA_3A7E)
    }

    /// The services of `tag` (orange-beacon-tag.md, Attributes).
    static func orangeTag(_ tag: OrangeTagDevice, called name: String) -> AttributeTable {
        let description = tag.description
        func entries(forWaking isForWaking: Bool) -> [Entry] {
            OrangeTagPart.allCases.filter { $0.isForWaking == isForWaking }.compactMap { part in
                guard let value = tag.value(of: part) else { return nil }
                var properties: Properties = description.unreadable.contains(part) ? [] : .read
                if !description.fixed.contains(part) { properties.insert(.write) }
                return Entry(part.characteristic, properties, value: value, maximumLength: value.count)
            }
        }
        let information = description.advertiser.information.sorted { $0.key < $1.key }
        let waking = entries(forWaking: true)
        return AttributeTable([
            .genericAccess(name), .readable(0x180A, information),
            .readable(0x180F, [0x2A19: [description.battery]]),
            Service(OrangeTagAdvertiser.service, entries(forWaking: false)),
            waking.isEmpty ? nil : Service(orangeTag(0x0802), waking),
        ])
    }
}

package struct OrangeTagDescription: Sendable {
    /// What the tag advertises, and Device Information; the advertised identity and period are the factory settings.
    package var advertiser: AdvertiserDescription
    package var battery: UInt8 = 100
    /// The largest MTU that it agrees on; older chips support only 23.
    package var maximumMTU = 23
    /// The factory values of its characteristics; a part without a value has no characteristic.
    package var values: [OrangeTagPart: [UInt8]]
    package var unreadable: Set<OrangeTagPart> = []
    /// The parts that cannot be written. Orange's own libraries write neither UUID nor major nor minor.
    package var fixed: Set<OrangeTagPart> = []

    package var flashSize: Int { OrangeTagDevice.size }

    package init(_ advertiser: AdvertiserDescription) {
        self.advertiser = advertiser
        let identity = advertiser.plan.advertiser.standard
        let units = UInt16(
            clamping: advertiser.plan.period.nanoseconds / OrangeTagPart.intervalUnit.nanoseconds)
        values = [
            .uuid: identity.uuid.bytes, .major: identity.major.bytes(),
            .minor: identity.minor.bytes(), .interval: units.bytes(), .power: [0],
            .sleep: [0, 0], .temperature: [0, 15, 25],
            .acceleration: [0] + Float(0.980665).bitPattern.bytes(), .angular: [0, 0, 0, 0, 0],
        ]
    }
}

package enum OrangeTagPart: String, CaseIterable, Sendable {
    case uuid, major, minor, interval, power, sleep, temperature, acceleration, angular

    /// Whether it belongs to the wake-up service, which only some tags have.
    var isForWaking: Bool { [.sleep, .temperature, .acceleration, .angular].contains(self) }

    var characteristic: BluetoothUUID {
        switch self {
        case .uuid: AttributeTable.orangeTag(0x0A00)
        case .minor: AttributeTable.orangeTag(0x0A01)
        case .major: AttributeTable.orangeTag(0x0A02)
        case .interval: AttributeTable.orangeTag(0x0A04)
        case .power: AttributeTable.orangeTag(0x0A05)
        case .sleep: AttributeTable.orangeTag(0x0A07)
        case .temperature: AttributeTable.orangeTag(0x0A08)
        case .angular: AttributeTable.orangeTag(0x0A09)
        case .acceleration: AttributeTable.orangeTag(0x0A0B)
        }
    }

    static let intervalUnit = Duration.microseconds(625)
}

/// An injected fault of a tag's settings. "This" write has the given number, counted from 1 over the tag's life.
public enum OrangeTagFault: Hashable, Sendable {
    /// This write is refused with an application error, even if it is valid.
    case refuseWrite(Int)
    /// This write is acknowledged but not stored.
    case forgetWrite(Int)
}
