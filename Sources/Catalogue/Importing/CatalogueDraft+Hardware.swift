public import FirmwareModel
public import YAMLText

extension CatalogueDraft {
    /// The family in KKM's `{model}.json`: an object by hardware version, each with a list of releases from the oldest
    /// to the newest. Their packages are `appFileName`, beside the file.
    public init(keyedByHardware text: [UInt8], model: String, kind: FirmwareKind) throws(YAMLProblem) {
        self.init(model, kind, .dotted)
        for hardware in try YAMLValue(parsing: text).members() {
            for value in try hardware.value.list() {
                let members = Dictionary(try value.members().map { ($0.key, $0.value) }) { first, _ in first }
                let version = try value.required("appVersion", in: members)
                var release = Release(try version.text())
                guard scheme.version(release.version) != nil else {
                    throw version.problem("'\(release.version)' is not a version such as V5.20")
                }
                release.file = try value.required("appFileName", in: members).text()
                release.hardware = hardware.key
                release.notes = try members["note"]?.text()
                releases.append(release)
            }
        }
    }

    /// Hardware whose list is not in ascending order: the vendor's applications look at the last release only, and say
    /// "up to date" where an earlier one in the list is newer.
    public var disordered: [String] {
        var found: [String] = []
        for (earlier, later) in zip(releases, releases.dropFirst()) {
            guard let hardware = later.hardware, hardware == earlier.hardware,
                let one = scheme.version(earlier.version), let other = scheme.version(later.version),
                other <= one,
                !found.contains(hardware)
            else { continue }
            found.append(hardware)
        }
        return found
    }
}
