import Bluetooth
import Bytes
package import Firmware
import UpdateModel

package struct TraySlot: Hashable, Sendable {
    /// The label at the slot, for example `A1`.
    package let label: String
    /// The beacon in the slot; nil until a scanner has read the beacon's label.
    package internal(set) var device: DeviceSelector?
    /// The vendor's id on the beacon's label; nil if it was not read.
    package let id: String?
    /// The slot's own firmware; nil for the tray's.
    package private(set) var firmware: TrayFirmware?
    /// The slot's own description of its unit; nil for the tray's.
    package let description: UnitDescription?

    package init(
        _ label: String, device: DeviceSelector? = nil, id: String? = nil, firmware: TrayFirmware? = nil,
        description: UnitDescription? = nil
    ) throws(TrayFileError) {
        try TrayText.check(label, of: "slot")
        if let flaw = device?.slotFlaw { throw TrayFileError("device", flaw) }
        try TrayText.check(id, of: "id")
        try firmware?.check()
        (self.label, self.id, self.device, self.firmware) = (label, id, device, firmware)
        self.description = description
    }

    package var withoutFirmware: TraySlot {
        var slot = self
        slot.firmware = nil
        return slot
    }
}

extension DeviceSelector {
    /// The reason why a selector cannot fill a slot; nil if it can.
    var slotFlaw: String? {
        let text =
            switch self {
            case .name(let name): name.pattern
            case .id(let id): id
            case .address, .bareAddress, .iBeacon: "\(self)"
            }
        if case .name = self, text.contains(where: { "*?".contains($0) }) {
            return "a slot is for one beacon, but 'name:\(text)' may match several; use patterns in 'rule'"
        }
        return TrayText.flaw(in: text).map { "the selector \($0)" }
    }

    /// Keys that no two slots of a tray, and no two benches, may share. An address without its type has a key for each
    /// type.
    package var meanings: [String] {
        switch self {
        case .address, .bareAddress: addresses.map { $0.withKind }
        case .id(let id): ["id:\(id.lowercased())"]
        case .name, .iBeacon: ["\(self)"]
        }
    }
}

/// Facts that a unit does not report itself: the values of its vendor's options, by the keys of the options.
package struct UnitDescription: Hashable, Sendable {
    package let texts: [String: String]

    /// Throws for a value that is not one visible line; returns nil if there are no values.
    package init?(_ texts: [String: String]) throws(TrayFileError) {
        guard !texts.isEmpty else { return nil }
        for key in Self.keys { try TrayText.check(texts[key], of: key) }
        self.texts = texts
    }

    /// The keys, in the order of the format's page.
    static var keys: [String] { KnownVendors.options(in: .tray).map(\.key) }
}

/// A tray's texts are shown in tables, printed, and compared with scanned codes: each is one visible line.
enum TrayText {
    /// The longest label, name or number, in bytes of UTF-8.
    static let mostBytes = 64
    static let mostPathBytes = 256

    /// What is wrong with `text`, of at most `limit` bytes of UTF-8; nil if nothing is.
    static func flaw(in text: String, upTo limit: Int = mostBytes) -> String? {
        if text.isEmpty { return "is empty" }
        if text.utf8.count > limit { return "has \(text.utf8.count) bytes, at most \(limit) allowed" }
        if text.unicodeScalars.contains(where: VisibleText.isInvisible) {
            return "has an invisible character"
        }
        if ":\(text)".first != ":" { return "begins with a combining mark" }
        if text.first?.isWhitespace ?? false || text.last?.isWhitespace ?? false {
            return "begins or ends with a space"
        }
        return nil
    }

    /// Throws for a `text` of the key `key` that is not one visible line.
    static func check(_ text: String?, of key: String, upTo limit: Int = mostBytes) throws(TrayFileError) {
        guard let text, let flaw = flaw(in: text, upTo: limit) else { return }
        throw TrayFileError(key, "'\(key)' \(flaw)")
    }
}

extension Int? {
    /// Throws if this number, of the key `key`, is out of `range`.
    func check(in range: ClosedRange<Int>, of key: String) throws(TrayFileError) {
        guard let number = self, !range.contains(number) else { return }
        throw TrayFileError(key, "'\(key)' is a number from \(range.lowerBound) to \(range.upperBound)")
    }
}

/// Writes a list of slots in a short form.
package enum SlotRuns {
    /// The labels of the slots at `places` (indices) in the tray's order. Three or more slots in a row are shortened:
    /// `A1–A8 B2`.
    package static func words(_ places: some Sequence<Int>, label: (Int) -> String) -> String {
        var runs: [ClosedRange<Int>] = []
        for place in places.sorted() {
            if let last = runs.last, last.upperBound + 1 == place {
                runs[runs.count - 1] = last.lowerBound...place
            } else {
                runs.append(place...place)
            }
        }
        return runs.flatMap { run in
            run.count < 3 ? run.map(label) : [label(run.lowerBound) + "–" + label(run.upperBound)]
        }.joined(separator: " ")
    }
}

extension [TraySlot] {
    /// The labels of the slots that `isMeant` selects, as ``SlotRuns`` writes them; nil if there are none.
    package func runs(where isMeant: (TraySlot) -> Bool) -> String? {
        let places = indices.filter { isMeant(self[$0]) }
        return places.isEmpty ? nil : SlotRuns.words(places) { self[$0].label }
    }
}
