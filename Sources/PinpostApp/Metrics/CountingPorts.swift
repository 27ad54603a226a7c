import PinpostCore

/// Counts the messages that come in.
struct CountingSink: MessageSink {
    let sink: any MessageSink
    let meter: Meter

    func accept(_ message: ReceivedMessage) async throws(StoreError) -> Acceptance {
        do throws(StoreError) {
            let acceptance = try await sink.accept(message)
            meter.count(.messages, message.source.rawValue, acceptance.isRepeat ? "repeat" : "new")
            return acceptance
        } catch {
            meter.count(.messages, message.source.rawValue, "refused")
            throw error
        }
    }
}

/// Counts what the decoders say.
struct CountingConverter: PictureConverter {
    let converter: any PictureConverter
    let meter: Meter

    func convert(
        _ picture: StoredBytes, _ options: ConversionOptions
    ) async throws(MediaError) -> ConvertedPicture {
        try await counted { () async throws(MediaError) in try await converter.convert(picture, options) }
    }

    func card(_ text: CardText) async throws(MediaError) -> ConvertedPicture {
        try await counted { () async throws(MediaError) in try await converter.card(text) }
    }

    private func counted(
        _ body: () async throws(MediaError) -> ConvertedPicture
    ) async throws(MediaError) -> ConvertedPicture {
        do throws(MediaError) {
            let picture = try await body()
            meter.count(.pictures, "converted")
            return picture
        } catch {
            meter.count(.pictures, error.code.rawValue.snakeCased)
            throw error
        }
    }
}
