package import Bluetooth
import Bytes

/// A beacon's advertising data, split over an advertisement and its scan response, 31 bytes each (Core, Vol 6,
/// Part B, 2.3.1.1).
///
/// Structures keep their order where possible. A structure that does not fit the advertisement goes into the scan
/// response, except flags, which belong into the advertisement only (Core Supplement, Part A, 1.3).
package struct AdvertisingPayload: Equatable, Sendable {
    package static let limit = 31

    package private(set) var data: [UInt8] = []
    package private(set) var scanResponse: [UInt8] = []
    /// How many structures fit neither, or have a type that cannot be written here.
    package private(set) var leftOut = 0

    /// Encodes `data`, and `scanResponse` with the structures that are sent only in a scan response.
    package init(_ data: AdvertisingData, answering scanResponse: AdvertisingData = AdvertisingData()) {
        for element in scanResponse.elements where !add(element, to: \.scanResponse) { leftOut += 1 }
        for element in data.elements
        where !add(element, to: \.data) && !add(element, to: \.scanResponse) { leftOut += 1 }
    }

    private mutating func add(
        _ element: AdvertisingData.Element, to part: WritableKeyPath<AdvertisingPayload, [UInt8]>
    ) -> Bool {
        if case .flags = element, part == \.scanResponse { return false }
        guard let bytes = element.structure, self[keyPath: part].count + bytes.count <= Self.limit else {
            return false
        }
        self[keyPath: part] += bytes
        return true
    }
}

extension AdvertisingData.Element {
    /// Length, type and data; nil for a type that no supported beacon sends.
    fileprivate var structure: [UInt8]? {
        switch self {
        case .flags(let bits): Self.structure(0x01, [bits])
        case .services(let list, let isComplete): Self.services(list, isComplete)
        case .name(let text, let isComplete): Self.structure(isComplete ? 0x09 : 0x08, Array(text.utf8))
        case .txPower(let power): Self.structure(0x0A, [UInt8(bitPattern: power)])
        case .serviceData(let uuid, let data): Self.structure(Self.dataType(of: uuid), uuid.wire + data)
        case .appearance(let value): Self.structure(0x19, value.bytes())
        case .manufacturer(let company, let data): Self.structure(0xFF, company.bytes() + data)
        case .other(let type, let data): Self.structure(type, data)
        default: nil
        }
    }

    private static func structure(_ type: UInt8, _ data: [UInt8]) -> [UInt8]? {
        UInt8(exactly: data.count + 1).map { [$0, type] + data }
    }

    /// All UUIDs of a list have the same width.
    private static func services(_ list: [BluetoothUUID], _ isComplete: Bool) -> [UInt8]? {
        let width = list.first?.wire.count ?? 2
        guard list.allSatisfy({ $0.wire.count == width }) else { return nil }
        let type: UInt8 = width == 2 ? 0x02 : 0x06
        return structure(type + (isComplete ? 1 : 0), list.flatMap(\.wire))
    }

    private static func dataType(of uuid: BluetoothUUID) -> UInt8 { uuid.wire.count == 2 ? 0x16 : 0x21 }
}
