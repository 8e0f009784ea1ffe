extension DialogueCommand {
    /// The same command in an enclosing dialogue; `next` instead of the end of this one.
    public func asPart<Whole: Sendable, Failure: Error>(
        then next: (Ending) throws(Failure) -> DialogueCommand<Whole>
    ) throws(Failure) -> DialogueCommand<Whole> {
        switch self {
        case .subscribe(let source): .subscribe(source)
        case .request(let bytes, let target, let source, let limit):
            .request(bytes, on: target, answerOn: source, within: limit)
        case .expect(let source, let limit): .expect(from: source, within: limit)
        case .write(let bytes, let target, let mayRefuse): .write(bytes, on: target, mayRefuse: mayRefuse)
        case .open(let psm, let limit): .open(psm: psm, within: limit)
        case .find(let wanted): .find(wanted)
        case .read(let source): .read(source)
        case .readIfAllowed(let source): .readIfAllowed(source)
        case .readHandle(let handle, let uuid, let limit): .readHandle(handle, of: uuid, within: limit)
        case .list(let listing, let limit): .list(listing, within: limit)
        case .stream(let run): .stream(run)
        case .rest(let length): .rest(length)
        case .end(let ending): try next(ending)
        }
    }
}
