import Bytes
import MCUboot
import TestSupport
import Testing
import UpdateModel

@Suite struct `An MCUboot image that is built` {
    @Test(arguments: MadeImage.all)
    func `is that of imgtool, byte for byte`(made: MadeImage) throws {
        var recipe = MCUbootRecipe.sample
        made.change(&recipe)
        let bytes = try recipe.image(signedBy: try made.signer())
        #expect(bytes.count == made.bytes)
        #expect(SHA256Digest.digest(bytes).hex == made.digest.hex)
    }

    @Test(arguments: MadeImage.all)
    func `is read back and verified`(made: MadeImage) throws {
        var recipe = MCUbootRecipe.sample
        made.change(&recipe)
        let signer = try made.signer()
        let image = try MCUbootImage(parsing: try recipe.image(signedBy: signer))
        #expect(image.header.version == recipe.version)
        #expect(image.hashMatches == true)
        #expect(image.securityCounter == recipe.securityCounter)
        #expect(image.softwareType == recipe.bootRecord)
        #expect(image.dependencies.map(\.version) == recipe.dependencies.map(\.version))
        #expect(image.dependencies.map(\.image) == recipe.dependencies.map { Int($0.image) })
        let key = try #require(signer.flatMap { SignatureKey(der: $0.publicKey) } ?? otherKey())
        #expect(image.verdict(by: key) == (signer == nil ? nil : .valid))
        #expect(try image.verdict(by: #require(otherKey())) == (signer == nil ? nil : .otherKey))
        if let slot = recipe.slot, slot.filling != .none, recipe.erased == 0xFF {
            let alignment = slot.maximumAlignment ?? max(8, slot.alignment)
            let isConfirmed = slot.filling == .confirmed && !slot.isOverwritten
            #expect(
                image.padding
                    == .trailer(
                        bytes: slot.bytes - image.end, alignment: alignment, isConfirmed: isConfirmed))
        }
    }

    @Test(arguments: [false, true]) func `of P-256 is signed the same way every time`(carriesKey: Bool) throws
    {
        let key = try #require(P256PrivateKey(scalar: SampleKeys.p256))
        var recipe = MCUbootRecipe.sample
        recipe.carriesKey = carriesKey
        recipe.securityCounter = 3
        let bytes = try recipe.image(signedBy: .p256(key))
        #expect(try recipe.image(signedBy: .p256(key)) == bytes)
        let image = try MCUbootImage(parsing: bytes)
        let own = try #require(SignatureKey(der: key.publicKey.der))
        #expect(image.verdict(by: own) == .valid)
        #expect(image.findings(key: own) == [])
        #expect(image.unprotectedTLVs.map(\.kind) == [.sha256, carriesKey ? .publicKey : .keyHash, .ecdsa])
    }

    /// r and s begin with a 0 for one key in 512 messages, with a bit that is set for one in two.
    @Test func `has signatures of P-256 in strict DER, whatever the numbers are`() throws {
        let key = try #require(P256PrivateKey(scalar: SampleKeys.p256))
        let own = try #require(SignatureKey(der: key.publicKey.der))
        var lengths: Set<Int> = []
        for counter in 0..<UInt32(300) {
            var recipe = MCUbootRecipe(
                [1], version: ImageVersion(major: 1, minor: 0, revision: 0), header: .added(bytes: 32))
            recipe.securityCounter = counter
            let image = try MCUbootImage(parsing: try recipe.image(signedBy: .p256(key)))
            #expect(image.verdict(by: own) == .valid, "\(counter)")
            lengths.insert(image.signatures[0].value.count)
        }
        #expect(lengths.isSuperset(of: [70, 71, 72]))
    }

    @Test func `is refused if the recipe contradicts itself`() throws {
        let pure = try MadeImage("", .pure, bytes: 0, "").signer()
        let p256 = ImageSigner.p256(try #require(P256PrivateKey(scalar: SampleKeys.p256)))
        let cases: [(MCUbootRecipeError, ImageSigner?, (inout MCUbootRecipe) -> Void)] = [
            (.empty, nil, { $0.program = [] }),
            (.headerSize(31), nil, { $0.header = .added(bytes: 31) }),
            (.headerSize(-1), nil, { $0.header = .included(bytes: -1) }),
            (.headerSize(65536), nil, { $0.header = .added(bytes: 65536) }),
            (.noRoomForHeader(bytes: 32), nil, { $0.header = .included(bytes: 32) }),
            (.noRoomForHeader(bytes: 512), nil, { $0.header = .included(bytes: 512) }),
            (
                .noRoomForHeader(bytes: 32), nil,
                {
                    $0.header = .included(bytes: 32)
                    $0.program = [UInt8](repeating: 0, count: 32)
                }
            ),
            (
                .zerosAfterHeader(.included(bytes: 512), zeros: 1536), nil,
                {
                    $0.header = .included(bytes: 512)
                    $0.program = [UInt8](repeating: 0, count: 2048) + [1]
                }
            ),
            (
                .zerosAfterHeader(.added(bytes: 512), zeros: 32), nil,
                {
                    $0.header = .added(bytes: 512)
                    $0.program = [UInt8](repeating: 0, count: 32) + [1]
                }
            ),
            (.addressZero, nil, { $0.address = .ram(0) }), (.addressZero, nil, { $0.address = .fixed(0) }),
            (.digest(.sha256, allowed: [.sha512]), pure, { $0.digest = .sha256 }),
            (.digest(.sha512, allowed: [.sha256]), p256, { $0.digest = .sha512 }),
            (.bootRecord(""), nil, { $0.bootRecord = "" }),
            (.bootRecord("thirteen char"), nil, { $0.bootRecord = "thirteen char" }),
            (.vendorType(0x40), nil, { $0.vendorTLVs = [.init(type: 0x40, value: [])] }),
            (
                .repeatedType(0xA0), nil,
                { $0.vendorTLVs = [.init(type: 0xA0, value: []), .init(type: 0xA0, value: [])] }
            ),
            (
                .tlvsTooLong, nil,
                { $0.vendorTLVs = [.init(type: 0xA0, value: [UInt8](repeating: 0, count: 65535))] }
            ),
        ]
        for (error, signer, change) in cases {
            var recipe = MCUbootRecipe.sample
            change(&recipe)
            #expect(throws: error) { try recipe.image(signedBy: signer) }
            #expect(!"\(error)".isEmpty)
        }
    }

    @Test func `needs a slot that it fits with its trailer`() throws {
        // The image has 372 bytes, the trailer with defaults 432.
        var recipe = MCUbootRecipe.sample
        recipe.slot = ImageSlot(bytes: 804)
        #expect(try recipe.image().count == 372)
        recipe.slot = ImageSlot(bytes: 803)
        #expect(throws: MCUbootRecipeError.slotTooSmall(image: 372, trailer: 432, slot: 803)) {
            try recipe.image()
        }
        for bytes in [0, -1, Int.max] {
            recipe.slot = ImageSlot(bytes: bytes)
            #expect(throws: MCUbootRecipeError.self) { try recipe.image() }
        }
        for (alignment, maximum) in [(3, nil), (0, nil), (64, nil), (16, 8), (8, 4), (8, 64)] as [(Int, Int?)]
        {
            recipe.slot = ImageSlot(bytes: 0x10000)
            recipe.slot?.alignment = alignment
            recipe.slot?.maximumAlignment = maximum
            #expect(throws: MCUbootRecipeError.self, "\(alignment)") { try recipe.image() }
        }
    }

    private func otherKey() -> SignatureKey? {
        Ed25519PrivateKey(bytes: [UInt8](repeating: 7, count: 32)).flatMap {
            SignatureKey(der: $0.publicKey.der)
        }
    }
}
