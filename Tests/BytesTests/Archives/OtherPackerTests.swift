import Bytes
import TestSupport
import Testing

/// Archives of common packers must be accepted, whichever variant of the format they write.
@Suite(.timeLimit(.minutes(10))) struct `A ZIP file from another packer` {
    private static let files = ["blinker.bin", "blinker.dat", "manifest.json"]

    /// The program of each packer, and the script that runs it in a folder with the three files and makes `out.zip`.
    private static let shell: [(tool: String, script: String)] = [
        ("zip", "zip -q -X out.zip *.*"), ("zip", "zip -q -r out.zip ."), ("zip", "zip -q -0 out.zip *.*"),
        ("zip", "zip -q -fz- - *.* | cat > out.zip"),
        ("zip", "zip -q out.zip *.*; echo a comment | zip -q -z out.zip"),
        ("jar", "jar cMf out.zip *.*"), ("jar", "jar c0Mf out.zip *.*"),
    ]

    /// Python's module: to a file and to a pipe, stored and deflated, from a file, in pieces, and with ZIP64 fields.
    private static var python: [[String]] {
        let writing = [
            "z.write(p)", "z.open(p, 'w').write(read(p))",
            "z.open(p, 'w', force_zip64=True).write(read(p))",
        ]
        var commands: [[String]] = []
        for target in ["> out.zip", "| cat > out.zip"] {
            for method in [0, 8] {
                for write in writing {
                    let script = """
                        import sys, zipfile
                        def read(p): return open(p, 'rb').read()
                        with zipfile.ZipFile(sys.stdout.buffer, 'w', \(method)) as z:
                            for p in ['blinker.bin', 'blinker.dat', 'manifest.json']: \(write)
                        """
                    commands.append(["python3", "sh", "-c", "python3 -c \"$0\" \(target)", script])
                }
            }
        }
        return commands
    }

    static let packers = shell.map { [$0.tool, "sh", "-c", $0.script] } + python

    @Test(arguments: packers)
    func `is read with its names and contents`(_ packer: [String]) throws {
        guard try Tool.run(["which", packer[0]]).status == 0 else { return }
        try Tool.inFolder { folder in
            let sample = try ZipReader(try Samples.bytes("nordic/tiny.zip"))
            for name in Self.files {
                try Tool.write(try sample.contents(of: name, atMost: 1000), as: name, in: folder)
            }
            _ = try Tool.output(of: ["env", "-C", folder] + packer.dropFirst())
            let archive = try ZipReader(try Samples.file(at: folder + "/out.zip"))
            for name in Self.files {
                let content = try sample.contents(of: name, atMost: 1000)
                #expect(try archive.contents(of: name, atMost: 1000) == content)
            }
        }
    }

    @Test func `is read with data descriptors after its contents`() throws {
        let archive = try ZipReader(try Samples.bytes("nordic/descriptors.zip"))
        #expect(archive.entries.map(\.name) == ["blinker.bin", "blinker.dat", "manifest.json"])
        #expect(try archive.contents(of: "blinker.bin", atMost: 256).count == 256)
    }
}
