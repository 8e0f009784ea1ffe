import ArgumentParser
import Bytes
import Firmware
package import UpdateModel

/// The options of all vendors as options of the command line: a group for each type of options.
///
/// ArgumentParser takes a type's options from the children of its mirror, and reads their values by the
/// children's labels.
package struct VendorArguments: ParsableArguments, CustomReflectable {
    private var values: [ObjectIdentifier: OptionValues] = [:]

    package subscript(_ type: any VendorOptions.Type) -> OptionValues {
        get { values[ObjectIdentifier(type)] ?? OptionValues() }
        set { values[ObjectIdentifier(type)] = newValue }
    }

    package init() {}

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: TextKey.self)
        for type in KnownVendors.options { self[type] = try Self.values(of: type, in: container) }
    }

    package var customMirror: Mirror { Mirror(self, children: KnownVendors.options.map { Self.child($0) }) }

    private static func child<Options: VendorOptions>(_: Options.Type) -> Mirror.Child {
        ("\(Options.self)", OptionGroup<VendorGroup<Options>>(title: Options.title))
    }

    private static func values<Options: VendorOptions>(
        of _: Options.Type, in container: KeyedDecodingContainer<TextKey>
    ) throws -> OptionValues {
        try container.decode(
            OptionGroup<VendorGroup<Options>>.self, forKey: TextKey(stringValue: "\(Options.self)")
        ).wrappedValue.values
    }

    /// The given options that meet `condition`, in the order of the help.
    package func given(where condition: (VendorOption) -> Bool) -> [VendorOption] {
        KnownVendors.options.flatMap { type in type.options.filter { self[type][$0] != nil && condition($0) }
        }
    }

    var arguments: [String] {
        KnownVendors.options.flatMap { type in
            type.options.flatMap { option -> [String] in
                guard let value = self[type][option] else { return [] }
                if case .flag = option.form { return ["--\(option.name)"] }
                return ["--\(option.name)", value]
            }
        }
    }

    package var files: [String?] {
        KnownVendors.options.flatMap { type in
            type.options.map { if case .file = $0.form { self[type][$0] } else { nil } }
        }
    }

    package func add<Options: VendorOptions>(
        _: Options.Type, to options: inout UpdateOptions
    ) throws(CommandFailure) {
        let values = self[Options.self]
        let file = Options.file(for: values)
        let path = try file?.resolvedPath()
        let text = try path.map { (path) throws(CommandFailure) in try FileContent(path: path).bytes }
        do throws(OptionFailure) { try options[Options.self].adopt(values, from: text) } catch {
            let (step, path) = ("reading the \(file?.option.name ?? "options")", path ?? "")
            switch error {
            case .invalid(let code, let problem): throw CommandFailure(code, during: step, problem, in: path)
            case .missing(let code, let words):
                throw CommandFailure(code, during: step, message: "\(path) \(words)")
            }
        }
    }
}

extension OptionFile {
    /// The path that the user gave, else the default, else the first readable path of ``SharedFiles``.
    fileprivate func resolvedPath() throws(CommandFailure) -> String {
        let paths = SharedFiles.paths(of: shared, inCheckout: "manifests/\(shared)")
        let setting = DefaultSetting(rawValue: option.name)
        if let path = path ?? setting.flatMap({ Defaults[$0] }) ?? SharedFiles.firstReadable(of: paths) {
            return path
        }
        throw CommandFailure(
            .file.fileNotFound, during: "reading the \(option.name)",
            message: "no \(option.name) file was found; searched: \(paths.joined(separator: ", "))",
            nextStep: remedy.withOptions)
    }
}

private struct VendorGroup<Options: VendorOptions>: ParsableArguments, CustomReflectable {
    private(set) var values = OptionValues()

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: TextKey.self)
        for option in Options.options { values[option] = try option.value(in: container) }
    }

    var customMirror: Mirror { Mirror(self, children: Options.options.map { ($0.name, $0.argument) }) }

    func validate() throws {
        if let flaw = Options.flaw(in: values) { throw ValidationError(flaw.withOptions) }
    }
}

extension VendorOption {
    fileprivate var argument: Any {
        let (spelling, words) = (NameSpecification.customLong(name), ArgumentHelp(help, valueName: valueName))
        switch form {
        case .flag: return Flag(wrappedValue: false, name: spelling, help: ArgumentHelp(help))
        case .text, .number:
            return Option<String?>(name: spelling, help: words) { text in
                if let flaw = flaw(of: text) { throw ValidationError(flaw.withOptions) }
                return text
            }
        case .file: return Option<String?>(name: spelling, help: words, completion: .file())
        }
    }

    /// Its value among parsed ones; nil if it is not given.
    fileprivate func value(in container: KeyedDecodingContainer<TextKey>) throws -> String? {
        let key = TextKey(stringValue: name)
        switch form {
        case .flag: return try container.decode(Flag<Bool>.self, forKey: key).wrappedValue ? "true" : nil
        case .text, .number, .file:
            return try container.decode(Option<String?>.self, forKey: key).wrappedValue
        }
    }
}
