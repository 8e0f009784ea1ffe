import FoundationEssentials

/// The sample packages of `firmware-samples`.
public enum Samples {
    /// The folder of the package, derived from the path of this source file.
    public static let root: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/")
    }()

    /// The bytes of a sample, as in `nordic/tiny.zip`.
    public static func bytes(_ name: String) throws -> [UInt8] {
        try file(at: "\(root)/firmware-samples/\(name)")
    }

    /// The names of a folder's samples, in order.
    public static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(root)/firmware-samples/\(folder)")
            .sorted().map { "\(folder)/\($0)" }
    }

    /// The names of samples that break a rule of the release gate; some of them can still be flashed.
    public static func forRules() throws -> Set<String> {
        let recipes = try file(at: "\(root)/firmware-samples/recipes/rules.json")
        return Set(try JSONDecoder().decode([String: Anything].self, from: Data(recipes)).keys)
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// Packages made by the vendor's tool, which stay outside the repository; empty if there are none.
    public static let genuine: [String] = {
        let folder = "\(root)/../shared/genuine"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".zip") }.sorted().map { "\(folder)/\($0)" }
    }()

    /// Vectors that stay outside the repository, as in `suota.json`; nil if there are none.
    public static func vectors(_ name: String) -> [UInt8]? {
        try? file(at: "\(root)/../shared/vectors/\(name)")
    }

    /// The paths of the files in a folder of the package, in order.
    public static func entries(of folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)").sorted().map {
            "\(folder)/\($0)"
        }
    }

    /// The bytes of any file.
    public static func file(at path: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(filePath: path)))
    }
}
