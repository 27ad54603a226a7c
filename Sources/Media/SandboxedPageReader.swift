import DecoderProtocol
public import PinpostCore

/// Reads pages in the processes of a decoder pool.
public struct SandboxedPageReader: PageReader {
    private let pool: DecoderPool

    public init(_ pool: DecoderPool) { self.pool = pool }

    public func outline(of html: String) async throws(MediaError) -> PageOutline {
        guard !html.isEmpty else { return PageOutline([]) }
        let bytes = try await pool.outline(of: Array(html.utf8)[...])
        do throws(FrameError) {
            return PageOutline(try OutlineElement.decode(bytes).map(PageOutline.Element.init))
        } catch {
            throw MediaError(.decoderFailed, "The page reader wrote something that is not a list: \(error).")
        }
    }
}

extension PageOutline.Element {
    fileprivate init(_ element: OutlineElement) {
        self.init(
            name: element.name, attributes: element.attributes, text: element.text,
            place: PageOutline.Place(rawValue: element.place.rawValue), surroundings: element.surroundings,
            link: element.link)
    }
}
