import CXML
import DecoderProtocol

/// Reads HTML with libxml2's event interface: no tree, no network, no entities from outside.
final class PageScanner {
    private var elements: [OutlineElement] = []
    private var open = OpenElements()
    private var capture: Capture?
    /// Bytes of the list so far, roughly.
    private var size = 0

    /// Where the text goes that comes next.
    private struct Capture {
        let tag: String
        let index: Int
        var text: [UInt8] = []
    }

    /// Runs what libxml2 does once in a process, while the sandbox is open.
    static func prepare() { xmlInitParser() }

    /// Lists the elements of a page in UTF-8; a broken page gives what could be read.
    static func elements(of input: InputBytes) throws(Failure) -> [OutlineElement] {
        guard input.count > 0 else { return [] }
        let bytes = try input.bytes()
        let scanner = PageScanner()
        let isRead = bytes.withMemoryRebound(to: CChar.self, capacity: input.count) {
            scanner.read($0, count: input.count)
        }
        guard isRead else { throw Failure(.internalFault, "libxml2 gave no parser") }
        return scanner.elements
    }

    private func read(_ text: UnsafePointer<CChar>, count: Int) -> Bool {
        guard let parser = htmlCreateMemoryParserCtxt(text, CInt(clamping: count)) else { return false }
        defer { htmlFreeParserCtxt(parser) }
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
        htmlCtxtUseOptions(parser, CInt(options))
        // Without it libxml2 would look for a charset by itself and ask iconv, which opens files.
        xmlSwitchEncoding(parser, XML_CHAR_ENCODING_UTF8)
        var handler = htmlSAXHandler()
        handler.startElement = startElement
        handler.endElement = endElement
        handler.characters = characters
        handler.cdataBlock = characters
        handler.ignorableWhitespace = characters
        parser.pointee.sax.pointee = handler
        parser.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
        // The result says whether the page was well formed; no page is.
        _ = withExtendedLifetime(self) { htmlParseDocument(parser) }
        return true
    }

    fileprivate func begin(_ name: String, _ attributes: [String: String]) {
        defer { open.push(name, attributes) }
        guard !open.isText, elements.count < OutlineElement.Limit.elements, size < OutlineElement.Limit.total,
            let kept = WantedAttributes.kept(of: name, attributes)
        else { return }
        let element = OutlineElement(
            name: name, attributes: kept, place: open.place, surroundings: open.surroundings, link: open.link)
        size += kept.reduce(96) { $0 + $1.key.utf8.count + $1.value.utf8.count } + element.surroundings.utf8.count
        elements.append(element)
        if WantedAttributes.hasText(name) { capture = Capture(tag: name, index: elements.count - 1) }
    }

    fileprivate func end(_ name: String) {
        open.pop(name)
        if capture?.tag == name { finishCapture() }
    }

    fileprivate func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let room = capture.map({ OutlineElement.Limit.text - $0.text.count }), room > 0 else { return }
        capture?.text += bytes.prefix(room)
    }

    private func finishCapture() {
        guard let capture else { return }
        elements[capture.index].text = String(decoding: capture.text, as: UTF8.self)
        size += capture.text.count
        self.capture = nil
    }
}

private func scanner(_ context: UnsafeMutableRawPointer?) -> PageScanner? {
    context.map { Unmanaged<PageScanner>.fromOpaque($0).takeUnretainedValue() }
}

private let startElement: startElementSAXFunc = { context, name, attributes in
    guard let name else { return }
    var list: [String: String] = [:]
    var next = attributes
    while let pair = next, let key = pair[0], list.count < 64 {
        let value = pair[1].map { String(decodingCString: $0, as: UTF8.self) } ?? ""
        list[String(decodingCString: key, as: UTF8.self).lowercased()] = value
        next = pair + 2
    }
    scanner(context)?.begin(String(decodingCString: name, as: UTF8.self).lowercased(), list)
}

private let endElement: endElementSAXFunc = { context, name in
    guard let name else { return }
    scanner(context)?.end(String(decodingCString: name, as: UTF8.self).lowercased())
}

private let characters: charactersSAXFunc = { context, text, count in
    guard let text, count > 0 else { return }
    scanner(context)?.take(UnsafeBufferPointer(start: text, count: Int(count)))
}
