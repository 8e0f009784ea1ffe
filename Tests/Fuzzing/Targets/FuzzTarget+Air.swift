import Bluetooth
import Bytes
import TestSupport
import UpdateModel

@testable import BlueZ
@testable import Nordic

extension FuzzTarget {
    /// Data that the kernel and the controller pass on from the air, and answers of a beacon.
    static let air = [
        advertisingData, beaconFrames, managementEvent, controllerInformation, controllerEvent, secureAnswer,
        buttonlessAnswer, legacyAnswer,
    ]

    private static let controllerEvent = FuzzTarget("hci-event", seeds: { controllerEvents }) { input in
        var table = LinkTable()
        var sizes: [Int] = []
        var rest = input[...]
        // One input is a row of events, so that the state of links is tested too.
        while !rest.isEmpty {
            let length = rest.count > 2 ? min(rest.count, 3 + Int(rest[rest.startIndex + 2])) : rest.count
            var reader = ByteReader(Array(rest.prefix(length)))
            do throws(ByteError) {
                let event = try HCIEvent(parsing: &reader)
                if case .commandComplete(_, _, let bytes) = event {
                    sizes.append(bytes.count)
                }
                table.note(event)
            } catch { try demandPlace(error, in: Array(rest.prefix(length))) }
            rest = rest.dropFirst(length)
        }
        try demand(sizes.reduce(0, +) <= input.count, "more than was received")
        try demand(table.links.keys.allSatisfy { $0 <= 0x0FFF }, "a handle of more than 12 bits")
    }

    private static let buttonlessAnswer = FuzzTarget("buttonless-answer", seeds: { buttonlessAnswers }) {
        input in
        var entry = ButtonlessEntry(name: "Dfu12345")
        _ = try? entry.begin(on: LinkFacts(maximumWriteLength: 20))
        _ = try? entry.advance(after: .done)
        // Whatever it receives, sooner or later it leaves or gives up.
        for _ in 0..<64 {
            guard let step = try? entry.advance(after: .value(input)) else { return }
            if case .end = step.command { return }
        }
        try demand(false, "requests without end")
    }

    private static let advertisingData = FuzzTarget("advertising-data", seeds: { reports }) { input in
        let data = AdvertisingData(input)
        try demand(data.elements.reduce(0) { $0 + size(of: $1) } <= input.count, "more than was received")
        try demand(data.merged(with: data) == data, "a repeated report changes the state")
        let merged = data.merged(with: AdvertisingData())
        // With too many structures the oldest are dropped.
        try demand(
            merged.elements == data.elements.suffix(merged.elements.count), "silence changes what was said")
        try demand(
            AdvertisingData(input + [0]).elements.count >= data.elements.count, "0 took something away")
        _ = (data.name, data.services, data.manufacturerData(0x0059))
    }

    private static let managementEvent = FuzzTarget("management-event", seeds: { messages }) { input in
        var reader = ByteReader(input)
        do {
            let message = try ManagementMessage(parsing: &reader)
            switch message.event {
            case .commandComplete(_, _, let bytes):
                try demand(bytes.count <= input.count, "more than was received")
            case .deviceFound(let report):
                let said = report.data.elements.reduce(0) { $0 + size(of: $1) }
                try demand(said <= input.count, "more than was received")
                try demand(report.rssi != 127, "127 is not a signal strength")
            default: break
            }
        } catch let error as ByteError {
            try demandPlace(error, in: input)
        }
    }

    private static let controllerInformation = FuzzTarget(
        "controller-information", seeds: { [[UInt8](repeating: 0x41, count: 280)] }
    ) { input in
        var reader = ByteReader(input)
        do throws(ByteError) { _ = try ControllerInformation(parsing: &reader) } catch {
            try demandPlace(error, in: input)
        }
    }

    private static let secureAnswer = FuzzTarget("secure-answer", seeds: { notifications }) { input in
        var reader = ByteReader(input)
        do {
            let answer = try SecureAnswer(parsing: &reader)
            try demand(answer.payload == Array(input.dropFirst(3)), "another payload")
            _ = answer.refusal.map { "\($0)" }
            var selection = ByteReader(answer.payload[...], startingAt: 3)
            let size = try SecureSelection(parsing: &selection).maximumSize
            try demand((0...Int(UInt32.max)).contains(size), "a size of \(size)")
        } catch let error as ByteError {
            try demandPlace(error, in: input)
        }
    }

    /// The first byte chooses the step of the conversation in which the rest is sent, repeatedly.
    private static let legacyAnswer = FuzzTarget("legacy-answer", seeds: { legacyNotifications }) { input in
        var reader = ByteReader(Array(input.dropFirst()))
        do throws(ByteError) { _ = try LegacyAnswer(parsing: &reader) } catch {
            try demandPlace(error, in: Array(input.dropFirst()))
        }
        var procedure = LegacyProcedure(
            LegacyImage(bytes: [UInt8](repeating: 7, count: 400), initPacket: nil))
        var honest = Int(input.first ?? 0) % 8
        var step = try? procedure.begin(on: LinkFacts(maximumWriteLength: 20))
        for _ in 0..<2000 {
            guard let command = step?.command else { return }
            switch command {
            case .end(.complete): return
            case .end(.restart): step = try? procedure.begin(on: LinkFacts(maximumWriteLength: 20))
            case .read: step = try? procedure.advance(after: .value([8, 0]))
            case .request, .expect:
                honest -= 1
                let truth = honest >= 0 ? procedure.expected : nil
                step = try? procedure.advance(after: .value(truth ?? Array(input.dropFirst())))
            default: step = try? procedure.advance(after: .done)
            }
        }
        try demand(false, "requests without end")
    }

    /// The shortest data of `element`, without its length.
    private static func size(of element: AdvertisingData.Element) -> Int {
        switch element {
        case .flags, .txPower, .role: 2
        case .appearance, .advertisingInterval: 3
        case .classOfDevice: 4
        case .connectionIntervals: 5
        case .deviceAddress: 8
        case .deviceIdentity: 9
        case .supportedFeatures: 1
        case .services(let list, _), .solicitation(let list): 1 + list.count * 2
        case .targets(let list): 1 + list.count * 6
        case .name(let text, _), .broadcastName(let text): 1 + text.unicodeScalars.count
        case .uri(_, let text): 2 + text.unicodeScalars.count
        case .serviceData(_, let data): 3 + data.count
        case .manufacturer(_, let data): 3 + data.count
        case .other(_, let data): 1 + data.count
        }
    }

    private static let reports = [
        "020106 03ff5900", "020106 0302 59fe 0908 4466755461 7267", "020106 1aff4c000215" + zeroes(23),
        "030359fe 0416 59fe 01 020a04", "1106 50eada308883b89f604f15f30100c98e", "05094142", "00", "01ff",
        "1321 50eada308883b89f604f15f30100c98e 0102",
    ].map { [UInt8](hex: $0) }

    private static let messages = [
        "0100 FFFF 0700 0300 00 0100 0000", "0200 0000 0300 2300 14", "0400 0100 0000", "0500 0100 0000",
        "0600 0000 0400 01020000", "0B00 0000 0D00 01000000 0DF0 02 00000000 0000",
        "0C00 0000 0800 01000000 0DF0 02 01", "0D00 0000 0800 665544332211 01 04",
        "1200 0000 1500 01000000 0DF0 02 C4 04000000 0700 020106 03FF5900", "1300 0000 0200 06 01",
        "1200 0100 0E00 665544332211 01 7F FBFFFFFF 0000",
        "2000 0000 0100 00",
    ].map { [UInt8](hex: $0) }

    private static let controllerEvents = [
        "040E0401 2220 01", "040E0801 3020 00 FE0E 02 01", "040F0400 01 3220", "04050400 FE0E 13",
        "043E1301 00 FE3E 00 01 0104ACBE0DF0 0C00 0000 5802 00 043E0B07 FE0E FB00 4808 1B00 4801",
        "043E1F0A 00 FE0E 00 01 0104ACBE0DF0 000000000000 000000000000 1800 0000 5802 00",
        "043E0A03 00 FE0E 0600 0000 5802", "043E060C 00 FE0E 02 01",
    ].map { [UInt8](hex: $0) }

    private static let legacyNotifications = [
        "00 10 01 01", "01 10 02 06", "02 11 a0000000", "03 10 03 06", "04 10 07 01 a0000000", "05 10 04 05",
        "00 10 01 02", "03 10 03 01",
    ].map { [UInt8](hex: $0) }

    private static let buttonlessAnswers = ["20 01 01", "20 02 01", "20 02 06", "20 01 04", "60 01 01"].map {
        [UInt8](hex: $0)
    }

    private static let notifications = [
        "60 06 01 00020000 00000000 00000000", "60 01 0b 07", "60 03 01 00100000 01020304", "60 02 01",
        "60 04 05",
    ].map { [UInt8](hex: $0) }

    private static func zeroes(_ count: Int) -> String { String(repeating: "00", count: count) }
}

extension LegacyProcedure {
    /// The next answer of a device that has received everything; nil if none is awaited.
    fileprivate var expected: [UInt8]? {
        switch state {
        case .asking(let request, _, _): [0x10, request.opcode, 1]
        case .awaitingReceipt where isAllSent: [0x10, 3, 1]
        case .awaitingReceipt: [0x11] + count
        case .counting: [0x10, 7, 1] + count
        default: nil
        }
    }

    private var count: [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: link.attempt.position >> ($0 * 8)) }
    }
}
