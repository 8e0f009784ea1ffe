import Bytes

extension KBeaconHandshakeStyle {
    static let keys = ["mtu", "folds_digests", "tells_mtu"]

    mutating func read(_ values: [String: YAMLValue]) throws(YAMLProblem) {
        maximumMTU = try values["mtu"]?.number(in: 23...247) ?? maximumMTU
        foldsDigests = try values["folds_digests"]?.truth() ?? foldsDigests
        tellsMTU = try values["tells_mtu"]?.truth() ?? tellsMTU
    }
}

extension KBeaconAnswerStyle {
    static let keys = [
        "answers", "piece_size", "waits", "window", "answer_length", "more_frames", "execution_ms", "logs",
        "delay_ms", "record_answers", "frame_records", "answer_end", "answer_end_ms", "answer_end_cause",
    ]

    mutating func read(_ values: [String: YAMLValue]) throws(YAMLProblem) {
        shape = try values["answers"]?.choice(of: Shape.allCases.named) ?? shape
        records = try values["record_answers"]?.choice(of: Shape.allCases.named) ?? records
        recordsInFrame = try values["frame_records"]?.number(in: 1...100) ?? recordsInFrame
        ending = try values["answer_end"]?.choice(of: Ending.allCases.named) ?? ending
        if let value = values["answer_end_ms"] {
            endingDelay = .milliseconds(try value.number(in: 0...60_000) as Int)
        }
        if let value = values["answer_end_cause"] {
            endsWithDone = try value.choice(of: ["0": true, "6": false])
        }
        pieceSize = try values["piece_size"]?.number(in: 1...244)
        waits = try values["waits"]?.truth() ?? waits
        window = try values["window"]?.number() ?? window
        if let value = values["answer_length"] {
            let isEndless = try value.text() == "endless"
            length = isEndless ? .endless : .longer(try value.number(in: 8...60_000))
        }
        moreFrames = try values["more_frames"]?.number(in: 0...100) ?? moreFrames
        if let value = values["execution_ms"] {
            executionTime = .milliseconds(try value.number(in: 0...60_000) as Int)
        }
        logs = try values["logs"]?.number(in: 0...100) ?? logs
        if let value = values["delay_ms"] { delay = .milliseconds(try value.number(in: 0...60_000) as Int) }
    }
}
