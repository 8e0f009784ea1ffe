public import Bytes
public import UpdateModel

extension CatalogueDraft {
    /// The family in KKM's `{model}.json`: an object by hardware version, each with a list of releases from the
    /// oldest to the newest. Their packages are `appFileName`, in the same folder as the file; the newest has
    /// one, an earlier one may not.
    ///
    /// A KBeacon reports its model, hardware and version in a session.
    public init(
        keyedByHardware text: [UInt8], model: String, kind: FirmwareKind, by scheme: VersionScheme
    ) throws(YAMLProblem) {
        self.init(model, kind, scheme)
        versionSource = .session
        for hardware in try YAMLValue(parsing: text).members() {
            var newest: (version: OrderedVersion, value: YAMLValue, file: String?)?
            for value in try hardware.value.list() {
                let members = Dictionary(try value.members().map { ($0.key, $0.value) }) { first, _ in first }
                let version = try value.required("appVersion", in: members)
                var release = Release(try version.text())
                guard let order = scheme.version(release.version) else {
                    throw version.problem(
                        "'\(release.version)' is not a version of the scheme \(scheme.rawValue)")
                }
                release.file = try members["appFileName"]?.text()
                if newest.map({ $0.version <= order }) ?? true { newest = (order, value, release.file) }
                release.hardware = hardware.key
                release.notes = try members["note"]?.text()
                releases.append(release)
            }
            if let newest, newest.file == nil { throw newest.value.problem("'appFileName' is missing") }
        }
    }

    /// Hardware whose list is not in ascending order: the vendor's applications check the last release only,
    /// and show "up to date" if an earlier one in the list is newer.
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
