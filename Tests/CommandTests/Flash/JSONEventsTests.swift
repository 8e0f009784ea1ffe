import Bluetooth
import Bytes
import Foundation
import TestSupport
import Testing
import Tray
import UpdateModel

@testable import CommandKit

@Suite struct `Events as JSON` {
    private func line(_ event: UpdateEvent, slot: String? = nil) -> String? {
        var events = JSONEvents()
        return switch events.render(event).first {
        case .json(let line): (slot.map { line.adding(["slot": .text($0)]) } ?? line).text
        case .event(let event): (slot.map(event.about) ?? event).text
        case .line, .bar, nil: nil
        }
    }

    private func json(_ event: String, _ members: [String: JSONValue]) -> String {
        JSONLine(event, members).text
    }

    private func characteristic(_ service: UInt16, _ number: UInt16) -> Characteristic {
        Characteristic(BluetoothUUID(service), BluetoothUUID(number))
    }

    /// Every event that is rendered as JSON, with the most members that it can have.
    private static let events: [UpdateEvent] = {
        var speeds = SteadySpeeds()
        speeds.begin(at: .zero)
        speeds.accepted(500)
        let look = speeds.sample(at: SteadySpeeds.interval).speeds
        let source = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A26))
        return DeviceAddress("F0:0D:BE:AC:00:01").map { [.disconnected($0)] } ?? []
            + [
                .currentSpeed(1), .steadySpeed(look), .speed(look),
                .progress(sent: 1, total: 2, bytesPerSecond: 1),
                .detail(.servicesDiscovered([])), .detail(.deviceInformationRead(isPresent: true)),
                .detail(.verified(seconds: 1, uploadSeconds: 1)), .detail(.block(number: 1, of: 2)),
                .detail(.characteristicRead(source, [1])),
            ]
    }()

    @Test(arguments: events) func `are described in docs/json.md with each of their members`(
        _ event: UpdateEvent
    )
        throws
    {
        let rendered = try #require(line(event))
        let page = String(decoding: try Samples.file(at: Samples.root + "/docs/json.md"), as: UTF8.self)
        let members = try #require(
            try JSONSerialization.jsonObject(with: Data(rendered.utf8)) as? [String: Any])
        let name = try #require(members["event"] as? String)
        let row = try #require(page.split(separator: "\n").first { $0.hasPrefix("| `\(name)` |") }, "\(name)")
        for member in members.keys where member != "event" && member != "schema" {
            #expect(row.contains("`\(member)`"), "\(name).\(member)")
        }
    }

    @Test func `have these members`() throws {
        let address = try #require(DeviceAddress("F0:0D:BE:AC:00:01"))
        #expect(
            line(.disconnected(address)) == json("disconnected", ["device": .text("F0:0D:BE:AC:00:01")]))
        #expect(
            line(.currentSpeed(1234.56789))
                == json(
                    "current-speed", ["bytes_per_second": .number(1234.568)]))
        #expect(
            line(.detail(.servicesDiscovered([BluetoothUUID(0x180A), BluetoothUUID(0xFEF5)])))
                == json("services-discovered", ["services": .list([.text("180A"), .text("FEF5")])]))
        #expect(
            line(.detail(.deviceInformationRead(isPresent: false)))
                == json("device-information-read", ["found": .bool(false)]))
        #expect(
            line(.detail(.verified(seconds: 12.3456, uploadSeconds: nil)))
                == json("image-verified", ["seconds": .number(12.346), "upload_seconds": .null]))
        #expect(
            line(.detail(.block(number: 2, of: 3)))
                == json("block", ["block": .integer(2), "blocks": .integer(3), "percent": .integer(66)]))
    }

    @Test func `have the speeds of fixed steps under the names of those of blocks`() throws {
        var speeds = SteadySpeeds()
        speeds.begin(at: .zero)
        speeds.accepted(500)
        let look = speeds.sample(at: SteadySpeeds.interval).speeds
        let members: [String: JSONValue] = [
            "current": .number(1000), "max": .number(1000), "min": .number(1000), "average": .number(1000),
        ]
        #expect(line(.steadySpeed(look)) == json("steady-speed", members))
        #expect(line(.speed(look)) == json("speed", members))
    }

    @Test(
        arguments: [
            (0x180A, 0x2A26, "device-information"), (0xFEF5, 0x0001, "update"), (0xFE59, 0x0001, "update"),
            (0x180F, 0x2A19, "other"),
        ] as [(UInt16, UInt16, String)]) func `state the source of a value that was read`(
            _ service: UInt16, _ number: UInt16, _ group: String
        )
    {
        let source = characteristic(service, number)
        #expect(
            line(.detail(.characteristicRead(source, [0x31, 0xFF])))
                == json(
                    "characteristic-read",
                    [
                        "service": .text(source.service.description),
                        "characteristic": .text(source.uuid.description), "group": .text(group),
                        "value": .text("31ff"),
                    ]))
    }

    @Test func `are read by the page as the events that change a unit's state`() throws {
        let address = try #require(DeviceAddress("F0:0D:BE:AC:00:01"))
        let events: [UpdateEvent] = [
            .phase(.transferring), .progress(sent: 1, total: 2, bytesPerSecond: 0.5),
            .connected(address, LinkDescription(mtu: 23)), .disconnected(address),
            .detail(.linkChanged(LinkDescription(mtu: 23, interval: .microseconds(7500), phy: "2M"))),
            .resumed(offset: 1),
            .retry(attempt: 1, reason: .device.linkLost, from: 1), .warning(.device.linkLost, "lost"),
        ]
        for event in events {
            let (written, own) = (try #require(line(event, slot: "A1")), RunEvent(event)?.about("A1"))
            #expect(own?.named != nil && RunEvent(line: written.utf8) == own, "\(written)")
        }
        for event in Self.events where RunEvent(event) == nil {
            let written = try #require(line(event, slot: "A1"))
            #expect(RunEvent(line: written.utf8)?.named == nil, "\(written)")
            #expect(RunEvent(line: written.utf8) != nil, "\(written)")
        }
    }

    @Test(arguments: [(0, 10, 0), (999, 1000, 99), (1000, 1000, 100), (0, 0, 100)])
    func `report 100 per cent when everything has been sent`(_ sent: Int, _ total: Int, _ percent: Int) {
        let members: [String: JSONValue] = [
            "sent": .integer(sent), "total": .integer(total), "bytes_per_second": .number(10),
            "percent": .integer(percent),
        ]
        #expect(
            line(.progress(sent: sent, total: total, bytesPerSecond: 10)) == json("progress", members))
    }
}
