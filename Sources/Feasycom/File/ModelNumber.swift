/// Feasycom's number of a model: in files, in advertisements, and in the reply to an update request.
///
/// Beacons and modules are numbered in two tables that overlap, so a number may have two names (fbeacon.md, Layout).
package struct ModelNumber: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package var beacon: String? { Self.beacons[rawValue] }
    package var module: String? { Self.modules[rawValue] }
    /// The number's names: of the beacon first, then of the module.
    package var names: [String] { [beacon, module].compactMap(\.self) }

    /// The number of the model `name`; nil if neither table has it. No two models have the same name.
    package static func named(_ name: String) -> ModelNumber? {
        let table = beacons.values.contains(name) ? beacons : modules
        return table.first { $0.value == name }.map { ModelNumber(rawValue: $0.key) }
    }

    package static let allNames = Set(beacons.values).union(modules.values).sorted()

    private static let beacons: [UInt16: String] = [
        21: "BP102", 25: "BP109", 26: "BP103", 27: "BP104", 28: "BP201", 29: "BP106", 30: "BP101",
        31: "BP671", 36: "BP120", 39: "BP108", 40: "BP108N", 41: "BP103B",
    ]

    private static let modules: [UInt16: String] = [
        1: "BT401", 2: "BT405", 3: "BT426N", 4: "BT501", 5: "BT502", 6: "BT522", 7: "BT616", 8: "BT625",
        9: "BT626", 10: "BT803", 11: "BT813D", 12: "BT816S", 13: "BT821", 14: "BT822", 15: "BT826",
        16: "BT826N", 17: "BT836", 18: "BT836N", 19: "BT906", 20: "BT909", 22: "BT816S3", 23: "BT926",
        24: "BT901", 32: "BT826H", 33: "BT826NH", 34: "BT826E", 35: "BT826EH", 36: "BT836B", 37: "BT826B",
        38: "BT736", 39: "BT926B", 40: "BT966", 41: "BT721B", 42: "BT886", 47: "BT826A", 48: "BT826BA",
        49: "BT986", 50: "BT826F", 51: "BT946", 53: "BT618", 55: "BT671B-BG21", 57: "BT986-1",
        58: "BT826F-1", 60: "BT946-1",
    ]
}
