import Bluetooth
import Bytes

extension DeviceSelector {
    /// Why `text` is not a selector, and the correct form.
    public static func flaw(in text: String) -> String {
        let kinds = ["name:", "id:", "ibeacon:"]
        let prefix = text.firstIndex(of: ":").map { String(text[...$0]) } ?? ""
        if prefix == "ibeacon:" {
            return
                "an iBeacon is selected by ibeacon:UUID/MAJOR/MINOR, with a UUID of 32 digits and two numbers from 0 to "
                + "65535"
        }
        if prefix == "name:" || prefix == "id:" {
            return "the \(prefix.dropLast()) is missing after '\(prefix)'"
        }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        if let address = address(in: parts[0]) {
            return "\(address)" == parts[0]
                ? "an address may only be followed by /public or /random"
                : "write the address as \(address)"
        }
        if let kind = Spelling.nearest(to: prefix, in: kinds) { return "did you mean '\(kind)'?" }
        return
            "select a beacon by its address, such as F0:0D:BE:AC:01:00, by its name, such as 'name:\(text)', by id: "
            + "and the vendor's id, or by ibeacon:UUID/MAJOR/MINOR"
    }

    /// The address that has the digits of `text`.
    private static func address(in text: String) -> DeviceAddress? {
        let digits = text.filter { !":-._ ".contains($0) }
        guard digits.count == 12, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        let pairs = stride(from: 0, to: 12, by: 2).map { digits.dropFirst($0).prefix(2).uppercased() }
        return DeviceAddress(pairs.joined(separator: ":"))
    }
}
