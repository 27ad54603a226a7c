/// Finds whole JPEG files in the middle of other data, without knowing the format around them.
enum EmbeddedJPEGs {
    private static let maximumFiles = 64
    /// How often a byte may be looked at, on average.
    private static let maximumPasses = 4
    /// What may follow the start of an image: tables, application data, a comment or a frame.
    private static let openers: Set<UInt8> = [0xC0, 0xC1, 0xC2, 0xC4, 0xDB, 0xDD, 0xE0, 0xE1, 0xE2, 0xEE, 0xFE]

    /// The files in their order; none lies inside another one.
    static func find(in data: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var (files, position, left): ([ArraySlice<UInt8>], Int, Int) = ([], data.startIndex, maximumPasses * data.count)
        while files.count < maximumFiles, left > 0, let start = next(in: data[position...]) {
            let end = end(of: data[start...])
            left -= (end.place - start) + (start - position)
            if end.isWhole { files.append(data[start..<end.place]) }
            position = end.isWhole ? end.place : start + 2
        }
        return files
    }

    private static func next(in data: ArraySlice<UInt8>) -> Int? {
        var rest = data
        while let start = rest.nextMarker(restartsToo: true) {
            if rest[start...].starts(with: [0xFF, 0xD8, 0xFF]), start + 3 < rest.endIndex,
                openers.contains(rest[start + 3])
            {
                return start
            }
            rest = rest[(start + 2)...]
        }
        return nil
    }

    /// Walks over one file.
    /// - Returns: where it ends, or where it stops being a JPEG.
    private static func end(of data: ArraySlice<UInt8>) -> (place: Int, isWhole: Bool) {
        var reader = JPEGReader(data)
        guard (try? reader.start()) != nil else { return (data.startIndex, false) }
        while true {
            let place = reader.rest.startIndex
            // In a good file, a marker follows right here.
            guard reader.rest.first == 0xFF, let segment = try? reader.next() else { return (place, false) }
            if segment.marker == .endOfImage { return (segment.whole.endIndex, true) }
            guard segment.marker == .startOfScan else { continue }
            guard (try? reader.entropyCodedData()) != nil else { return (data.endIndex, false) }
        }
    }
}
