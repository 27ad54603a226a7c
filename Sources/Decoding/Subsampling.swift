import CTurboJPEG
import DecoderProtocol

/// How planes of a JPEG relate to its pixels.
extension TJSAMP {
    /// By how many bits a place in the picture is shifted to get the place in a plane.
    func shift(ofPlane index: Int) -> (x: Int, y: Int) {
        guard index > 0 else { return (0, 0) }
        switch self {
        case TJSAMP_420: return (1, 1)
        case TJSAMP_422: return (1, 0)
        case TJSAMP_440: return (0, 1)
        case TJSAMP_411: return (2, 0)
        default: return (0, 0)
        }
    }

    var planeCount: Int { self == TJSAMP_GRAY ? 1 : 3 }

    /// Rows and columns of pixels that are coded together.
    var blockSize: (width: Int, height: Int) {
        let shift = shift(ofPlane: 1)
        return (8 << shift.x, 8 << shift.y)
    }

    /// How many pixels share a chroma sample.
    var chromaPixels: (columns: Int, rows: Int) {
        let shift = shift(ofPlane: 1)
        return (1 << shift.x, 1 << shift.y)
    }

    /// The layout of the turned picture; nil where TurboJPEG 2.1 has no name for it.
    func turned(_ orientation: Orientation) -> TJSAMP? {
        guard orientation.swapsAxes else { return self }
        switch self {
        case TJSAMP_422: return TJSAMP_440
        case TJSAMP_440: return TJSAMP_422
        case TJSAMP_411: return nil
        default: return self
        }
    }
}

extension TilePlan.Chroma {
    var subsampling: TJSAMP {
        switch self {
        case .none: TJSAMP_GRAY
        case .quarter: TJSAMP_420
        case .half: TJSAMP_422
        case .full: TJSAMP_444
        }
    }
}
