/// `prepare`: from what came in to a picture that Pinry takes.
public struct PrepareStep: Sendable {
    private let converter: any PictureConverter
    private let links: any LinkPictures

    public init(converter: any PictureConverter, links: any LinkPictures) {
        self.converter = converter
        self.links = links
    }

    public func perform(_ item: Item) async throws -> PreparedPicture {
        let converted =
            switch item.kind {
            case .image(let bytes, _): try await converter.convert(bytes)
            case .link(let link): try await picture(of: link, attempt: item.attempt)
            }
        return PreparedPicture(bytes: converted.bytes, type: converted.shape.type)
    }

    /// Attempts on a page before its card has to do: a site that is down for a minute still gives its picture.
    private static let pageAttempts = 3

    private func picture(of link: FoundLink, attempt: Int) async throws -> ConvertedPicture {
        do {
            switch try await links.picture(of: link) {
            case .image(let bytes): return try await converter.convert(bytes)
            case .card(let text): return try await converter.card(text)
            }
        } catch let error as LinkError where error.code == .failed && !link.isImage && attempt >= Self.pageAttempts {
            return try await converter.card(CardText(link: link.url))
        } catch let error as MediaError where !error.isTransient && !link.isImage {
            // A page that turns out to be a picture we cannot take is still worth a pin.
            return try await converter.card(CardText(link: link.url))
        }
    }
}

extension CardText {
    /// What is known from the link alone.
    public init(link: String) {
        self.init(domain: DefaultDescription.host(of: link), title: "", url: link)
    }
}
