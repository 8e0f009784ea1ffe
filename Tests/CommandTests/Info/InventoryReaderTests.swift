import Bluetooth
import Testing
import UpdateModel

@testable import CommandKit
@testable import RadioCommands

@Suite(.timeLimit(.minutes(10))) struct `Reading an inventory` {
    /// 16 bits, least significant byte first.
    private static func word(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }
    private static func handle(_ request: [UInt8]) -> Int { Int(request[1]) | Int(request[2]) << 8 }

    @Test func `lists everything, including the reason why a value could not be read`() async throws {
        let found = try await inventory(ordinary).inventory
        #expect(found.omission == nil)
        #expect(found.services.map(\.declaration.uuid.description) == ["180F", "FE59"])
        #expect(found.characteristics.map(\.reading) == [.value([93]), .unread("insufficient encryption")])
        #expect(found.characteristics.map(\.userDescription) == [nil, "Door"])
        #expect(found.characteristics.last?.declaration.properties.names == ["read", "write", "notify"])
    }

    @Test func `continues if one service cannot be listed`() async throws {
        let found = try await inventory { request in
            request.starts(with: [0x08, 0x01]) ? .refuses(request, 0x0E) : ordinary(request)
        }.inventory
        #expect(found.services.map(\.problem) == ["unlikely error", nil])
        #expect(found.characteristics.count == 1)
    }

    /// Every handle is a service or a characteristic of 512 bytes.
    @Test func `ends on a device with the maximum number of attributes`() async throws {
        let (found, _) = try await inventory { request in
            let first = Self.handle(request)
            switch request[0] {
            case 0x10:
                guard first < 2000 else { return .refuses(request, 0x0A) }
                let end = first == 1 ? 1000 : first
                return .says([0x11, 6] + Self.word(first) + Self.word(end) + [0x0F, 0x18])
            case 0x08: return .says([0x09, 7] + Self.word(first) + [0x02] + Self.word(first) + [0x01, 0xAA])
            case 0x04: return .says([0x05, 1] + Self.word(first) + [0x02, 0x29])
            case 0x0A: return .says([0x0B] + [UInt8](repeating: 7, count: 22))
            default: return .says([0x0D] + [UInt8](repeating: 7, count: 22))
            }
        }
        #expect(found.services.count <= InventoryReader.mostServices)
        #expect(found.characteristics.count == InventoryReader.mostCharacteristics)
        #expect(found.omission?.contains("more characteristics") == true)
        for entry in found.characteristics {
            guard case .value(let bytes) = entry.reading else { continue }
            #expect(bytes.count <= 528)
            #expect(entry.descriptors.count <= InventoryReader.mostDescriptors)
        }
    }

    @Test func `ends on a device with more services than any has`() async throws {
        let (found, _) = try await inventory { request in
            let first = Self.handle(request)
            guard request[0] == 0x10, first < 500 else { return .refuses(request, 0x0A) }
            return .says([0x11, 6] + Self.word(first) + Self.word(first) + [0x0F, 0x18])
        }
        #expect(found.services.count == InventoryReader.mostServices)
        #expect(found.omission == "the beacon has 499 services; only the first are listed")
    }

    @Test func `ends at its deadline on a slow device, and keeps what it has`() async throws {
        let (found, took) = try await inventory(within: .milliseconds(6500)) { request in
            guard case .says(let answer) = ordinary(request) else { return .isSilent }
            return .saysAfter(.seconds(1), answer)
        }
        #expect(took == .milliseconds(6500))
        #expect(found.services.count >= 1 && found.omission?.contains("too slowly") == true)
        #expect(found.characteristics.first?.reading == .value([93]))
    }

    @Test func `ends at its deadline on a silent device`() async throws {
        let (found, took) = try await inventory(within: .seconds(5)) { _ in .isSilent }
        #expect(took == .seconds(5) && found.services.isEmpty && found.omission != nil)
    }

    @Test func `keeps what it has when the link is lost`() async throws {
        let found = try await inventory { request in
            request.starts(with: [0x0A, 0x06]) ? .hangsUp : ordinary(request)
        }.inventory
        #expect(found.omission == "the link ended")
        #expect(found.characteristics.map(\.reading) == [.value([93]), .unread("the link ended")])
    }

    @Test(arguments: ["10", "08", "0a", "04"])
    func `survives an answer cut short anywhere`(_ request: String) async throws {
        let opcode = try #require(UInt8(request, radix: 16))
        for length in 1..<16 {
            _ = try? await inventory { request in
                guard request[0] == opcode, case .says(let answer) = ordinary(request) else {
                    return ordinary(request)
                }
                return .says(Array(answer.prefix(length)))
            }
        }
    }

    @Test func `survives a change of any byte`() async throws {
        for place in 0..<12 {
            for mask: UInt8 in [0x01, 0x80, 0xFF] {
                _ = try? await inventory(within: .seconds(2)) { request in
                    guard case .says(var answer) = ordinary(request) else { return ordinary(request) }
                    if answer.indices.contains(place) { answer[place] ^= mask }
                    return .says(answer)
                }
            }
        }
    }
}
