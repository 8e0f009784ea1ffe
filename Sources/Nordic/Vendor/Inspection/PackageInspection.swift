package import UpdateModel

extension NordicPackage {
    package var inspection: FileInspection {
        FileInspection(
            package: "Nordic Secure DFU package", facts: ["parts": .list(parts.map(\.facts))],
            sections: parts.map(\.section), ignored: ignoredEntries)
    }
}

extension LegacyPackage {
    package var inspection: FileInspection {
        FileInspection(
            package: "Nordic Legacy DFU package",
            remark: manifest == nil ? "without a manifest: parts are recognised by file names" : nil,
            facts: [
                "parts": .list(parts.map(\.facts)), "manifest": .flag(manifest != nil),
                "dfu_version": manifest?.dfuVersion.map(Fact.number) ?? .absent,
            ],
            sections: parts.map(\.section), ignored: ignoredEntries)
    }
}

extension FileInspection {
    fileprivate init(
        package title: String, remark: String? = nil, facts: [String: Fact], sections: [Section],
        ignored: [String]
    ) {
        self.init(
            title, remark: remark,
            facts: facts.merging(["ignored_entries": .list(ignored.map(Fact.text))]) { $1 },
            sections: sections,
            endnotes: ignored.isEmpty ? [] : ["ignored entries: \(ignored.joined(separator: ", "))"])
    }
}
