import PinpostCore
import Testing

@testable import Hooks

@Suite("A JSON payload")
struct JSONPayloadTests {
    @Test("with a link pins the link and says what was said")
    func link() throws {
        let content = try json(
            #"""
            {"url": " https://example.org/a?b=c ", "description": "A boat", "source": "https://example.org/",
             "board": "Trips", "tags": ["sea", "#boat", "sea"], "private": true, "unknown": {"url": [1, {}]}}
            """#)
        #expect(content.summary == ["link https://example.org/a?b=c"])
        #expect(content.source == .hook)
        #expect(content.wishes.description == "A boat")
        #expect(content.wishes.source == "https://example.org/")
        #expect(content.wishes.board == "Trips")
        #expect(content.wishes.tags == ["sea", "boat"])
        #expect(content.wishes.isPrivate == true)
    }

    static let base64Forms: [String] = {
        let png = TinyPNG.base64
        let urlSafe = png.map { character -> Character in character == "+" ? "-" : character == "/" ? "_" : character }
        let wrapped = "\\r\\n " + String(png.prefix(20)) + "\\r\\n" + String(png.dropFirst(20)) + "\\n\\t "
        let escaped = png.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "\\/")
        return [
            png, "data:image/png;base64,\(png)", "DATA:image/heic;charset=x;BASE64,\(png)", wrapped, String(urlSafe),
            escaped, String(png.prefix { $0 != "=" }),
        ]
    }()

    @Test("takes base64 in every form", arguments: base64Forms)
    func base64(_ text: String) throws {
        let content = try json("{\"image\":\"\(text)\",\"filename\":\"C:\\\\dir\\\\a.heic\"}")
        #expect(content.summary == ["picture a.heic image/png 73"])
        #expect(content.pictures.first?.bytes.inlineBytes == TinyPNG.bytes)
    }

    @Test("takes pictures as objects, with the name before or after, and as lists")
    func pictureObjects() throws {
        let one = #"{"base64":"\#(TinyPNG.base64)","filename":"../x/1.png","mimetype":"image/gif"}"#
        let two = #"{"name":"2.png","x":[],"data":"\#(TinyPNG.base64)"}"#
        let content = try json(#"{"images":[\#(one),null,\#(two),"https://example.org/3.png"]}"#)
        #expect(
            content.summary == [
                "picture 1.png image/png 73", "picture 2.png image/png 73", "image https://example.org/3.png",
            ])
    }

    @Test("with a picture and a link takes the link as the source")
    func pictureWithLink() throws {
        let content = try json(#"{"url":"https://example.org/page","image":"\#(TinyPNG.base64)"}"#)
        #expect(content.summary == ["picture - image/png 73"])
        #expect(content.items.first?.wishes.source == "https://example.org/page")
        let promised = try json(#"{"url":"https://example.org/page","image_url":"https://example.org/a.jpg"}"#)
        #expect(promised.summary == ["image https://example.org/a.jpg"])
        #expect(promised.items.first?.wishes.source == "https://example.org/page")
    }

    @Test("with pictures and several links pins the pictures and reports the links")
    func pictureWithLinks() throws {
        let content = try json(#"{"url":["https://a.example/","https://b.example/"],"image":"\#(TinyPNG.base64)"}"#)
        #expect(content.summary == ["picture - image/png 73"])
        #expect(content.skipped.map(\.name) == ["https://a.example/", "https://b.example/"])
    }

    @Test("may hold many items, each with its own words over those of all")
    func items() throws {
        let content = try json(
            #"""
            {"items": [{"url": "https://a.example/", "description": "one", "tags": "x, y"}, {"url": "https://b.example/"},
             "https://c.example/"], "description": "all", "board": "B"}
            """#)
        #expect(content.summary == ["link https://a.example/", "link https://b.example/", "link https://c.example/"])
        #expect(content.items.map(\.wishes.description) == ["one", nil, nil])
        #expect(content.items[0].wishes.tags == ["x", "y"])
        #expect(content.wishes.description == "all")
        #expect(content.wishes.board == "B")
        #expect(try json(#"[{"url":"https://a.example/"},"https://b.example/"]"#).items.count == 2)
    }

    @Test("finds the links of a text and keeps them out of the description")
    func text() throws {
        let content = try json(#"{"text":"A boat (https://a.example/x), seen\nhttps://b.example"}"#)
        #expect(content.summary == ["link https://a.example/x", "link https://b.example"])
        #expect(content.wishes.description == "A boat seen")
    }

    @Test("reads commands in its words; fields go before them")
    func grammar() throws {
        let content = try json(
            #"{"text":"Nice #boat\nboard: Sea\nprivate\nhttps://a.example/","tags":"x","title":"Harbour"}"#)
        #expect(content.wishes.description == "Harbour\nNice")
        #expect(content.wishes.tags == ["x", "boat"])
        #expect(content.wishes.board == "Sea")
        #expect(content.wishes.isPrivate == true)
        let fields = try json(
            #"{"description":"D","text":"T #t\nboard: Sea","board":"Mine","private":false,"url":"https://a.example/"}"#)
        #expect(fields.wishes == Wishes(description: "D", tags: ["t"], board: "Mine", isPrivate: false))
    }

    @Test("with nothing but words finds the link in whichever field they are")
    func linkInDescription() throws {
        let content = try json(#"{"description":"See https://a.example/x"}"#)
        #expect(content.summary == ["link https://a.example/x"])
        let explicit = try json(#"{"description":"See https://a.example/x","url":"https://b.example/"}"#)
        #expect(explicit.summary == ["link https://b.example/"])
    }

    @Test(
        "skips links that cannot be pinned, with the reason",
        arguments: [
            "ftp://example.org/a", "javascript:alert(1)", "file:///etc/passwd", "https://", "http:///x",
            "//example.org/a",
            "example.org", "https://exa mple.org/", "https://example.org/\\u0001", "https://:80/",
            "https://example.org/" + String(repeating: "a", count: 2_048),
        ])
    func badLinks(_ link: String) throws {
        let content = try json(#"{"url":["https://good.example/","\#(link)"]}"#)
        #expect(content.summary == ["link https://good.example/"])
        #expect(content.skipped.count == 1)
        #expect(content.skipped.first?.reason == "not a link with http or https")
    }

    @Test("a bad source is dropped and reported")
    func badSource() throws {
        let content = try json(#"{"url":"https://a.example/","source":"javascript:alert(1)"}"#)
        #expect(content.wishes.source == nil)
        #expect(content.skipped.map(\.name) == ["javascript:alert(1)"])
    }

    @Test(
        "whose picture is none is skipped with the reason",
        arguments: [
            ("aGVsbG8=", "not a picture"), ("!!!!!!!!", "neither base64"), ("data:image/png,abc", "in base64"),
            ("data:image/png;base64,", "empty"), ("PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=", "SVG"),
        ])
    func badPictures(_ text: String, _ reason: String) throws {
        let content = try json(#"{"items":[{"image":"\#(text)"},{"url":"https://a.example/"}]}"#)
        #expect(content.summary == ["link https://a.example/"])
        #expect(content.skipped.first?.reason.contains(reason) == true, "\(content.skipped)")
    }

    @Test(
        "with nothing to pin says what is expected",
        arguments: [
            "{}", "[]", #"{"items":[]}"#, #"{"image":null}"#, #"{"image":""}"#, #"{"url":" "}"#,
            #"{"description":"x"}"#,
            #"{"image":"aGVsbG8="}"#,
        ])
    func nothing(_ text: String) throws {
        let error = #expect(throws: HookError.self) { try json(text) }
        #expect(error?.code == .nothingUsable)
        #expect(error?.detail.contains("image_url") == true)
    }

    @Test(
        "with a known field of a wrong kind is refused by name",
        arguments: [
            (#"{"url":{}}"#, "url"), (#"{"description":[]}"#, "description"), (#"{"private":"maybe"}"#, "private"),
            (#"{"items":{}}"#, "items"), (#"{"items":[1]}"#, "item"), (#"{"image":7}"#, "picture"),
            (#"{"url":"a","url":"b"}"#, "url"), (#"{"items":[],"items":[]}"#, "items"),
            (#"{"tags":["\#(String(repeating: "t", count: 101))"]}"#, "tag"),
        ])
    func wrongKinds(_ text: String, _ name: String) throws {
        let error = #expect(throws: HookError.self) { try json(text) }
        #expect(error?.code == .malformed)
        #expect(error?.detail.contains(name) == true)
    }

    @Test("over a limit is refused, and its pictures leave the store")
    func limits() throws {
        var limits = HookLimits()
        limits.text = 100
        limits.allText = 250
        limits.entries = 3
        limits.picture = 50
        let long = String(repeating: "a", count: 101)
        let blobs = KeepingBlobs()
        let tiny = #"{"image":"\#(TinyPNG.base64)"}"#
        for text in [
            #"{"description":"\#(long)"}"#, #"{"a":1,"\#(long)":1}"#,
            #"{"board":"\#(long.dropLast())","title":"\#(long.dropLast())","text":"\#(long.dropLast())"}"#,
            "[\(tiny),\(tiny),\(tiny),\(tiny)]",
        ] {
            let error = #expect(throws: HookError.self) { try json(text, limits: limits, into: blobs) }
            #expect(error?.code == .tooLarge, "\(text)")
        }
        let skipped = try json(#"{"image":"\#(TinyPNG.base64)","url":["https://a.example/"]}"#, limits: limits)
        #expect(skipped.skipped.first?.reason.contains("over the limit") == true)
        // What nobody asked for is not kept and may be long.
        #expect(try json(#"{"x":"\#(long)","url":"https://a.example/"}"#, limits: limits).items.count == 1)
        #expect(blobs.count == 0)
    }

    @Test("that fails after a picture leaves nothing in the store")
    func noLeftovers() throws {
        let blobs = KeepingBlobs()
        #expect(throws: HookError.self) { try json(#"{"image":"\#(TinyPNG.base64)","#, into: blobs) }
        #expect(blobs.count == 0)
    }

    @Test("is unavailable, not wrong, when a picture cannot be stored")
    func fullDisk() throws {
        let blobs = KeepingBlobs(failing: StoreError(.diskFull))
        let error = #expect(throws: HookError.self) { try json(#"{"image":"\#(TinyPNG.base64)"}"#, into: blobs) }
        #expect(error?.code == .unavailable)
    }
}
