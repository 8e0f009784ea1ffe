/// Writes a list of slots in a short form.
package enum SlotRuns {
    /// The labels of the slots at `places` (indices) in the tray's order. Three or more slots in a row are shortened:
    /// `A1–A8 B2`.
    package static func words(_ places: some Sequence<Int>, label: (Int) -> String) -> String {
        var runs: [ClosedRange<Int>] = []
        for place in places.sorted() {
            if let last = runs.last, last.upperBound + 1 == place {
                runs[runs.count - 1] = last.lowerBound...place
            } else {
                runs.append(place...place)
            }
        }
        return runs.flatMap { run in
            run.count < 3 ? run.map(label) : [label(run.lowerBound) + "–" + label(run.upperBound)]
        }.joined(separator: " ")
    }
}

extension [TraySlot] {
    /// The labels of the slots that `isMeant` selects, as ``SlotRuns`` writes them; nil if there are none.
    package func runs(where isMeant: (TraySlot) -> Bool) -> String? {
        let places = indices.filter { isMeant(self[$0]) }
        return places.isEmpty ? nil : SlotRuns.words(places) { self[$0].label }
    }
}
