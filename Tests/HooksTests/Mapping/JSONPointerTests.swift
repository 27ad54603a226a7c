import Testing

@testable import Hooks

@Suite("A JSON pointer")
struct JSONPointerTests {
    private func matches(_ pointer: String, _ json: String) throws -> [String] {
        let source = ByteSource(BodyReader(Array(json.utf8)), limit: 1 << 20)
        let tree = try JSONTree(reading: source, limits: HookLimits())
        return try #require(JSONPointer(pointer)).matches(in: tree).map { "\($0.pointer)=\($0.value.scalar ?? "-")" }
    }

    /// RFC 6901 section 5.
    private static let example = """
        {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\\\j": 5, "k\\"l": 6, " ": 7, "m~n": 8}
        """

    @Test(
        "points to what RFC 6901 says",
        arguments: [
            ("", "=-"), ("/foo", "/foo=-"), ("/foo/0", "/foo/0=bar"), ("/foo/1", "/foo/1=baz"), ("/", "/=0"),
            ("/a~1b", "/a~1b=1"), ("/c%d", "/c%d=2"), ("/e^f", "/e^f=3"), ("/g|h", "/g|h=4"), ("/i\\j", "/i\\j=5"),
            ("/k\"l", "/k\"l=6"), ("/ ", "/ =7"), ("/m~0n", "/m~0n=8"),
        ])
    func example(_ pointer: String, _ match: String) throws {
        #expect(try matches(pointer, Self.example) == [match])
    }

    @Test(
        "points to nothing",
        arguments: ["/foo/2", "/foo/00", "/foo/-", "/foo/+1", "/foo/٠", "/x", "/foo/0/x", "/m~01n"])
    func nothing(_ pointer: String) throws {
        #expect(try matches(pointer, Self.example).isEmpty)
    }

    @Test("is none", arguments: ["foo", "~", "/~", "/~2", "/a~", String(repeating: "/a", count: 33)])
    func none(_ text: String) { #expect(JSONPointer(text) == nil) }

    @Test("a star takes all elements of an array, and is a key of an object")
    func star() throws {
        let json = "{\"a\": [{\"b\": 1}, {\"c\": 2}, {\"b\": [3]}, 4], \"*\": 5}"
        #expect(try matches("/a/*/b", json) == ["/a/0/b=1", "/a/2/b=-"])
        #expect(try matches("/a/*/b/*", json) == ["/a/2/b/0=3"])
        #expect(try matches("/*", json) == ["/*=5"])
        #expect(try matches("/*", "[1, 2]") == ["/0=1", "/1=2"])
    }

    @Test("largest takes the element with the greatest product, the first of equal ones")
    func largest() throws {
        let json = """
            {"photo": [{"id": "s", "w": 90, "h": 90}, {"id": "y", "w": 1280, "h": 960}, {"id": "z", "w": 960, "h": 1280},
            {"id": "none", "w": 9999}, {"id": "text", "w": "9999", "h": "9999"}, 7, null], "largest(w)": 1}
            """
        #expect(try matches("/photo/largest(w*h)/id", json) == ["/photo/1/id=y"])
        #expect(try matches("/photo/largest( w )/id", json) == ["/photo/3/id=none"])
        #expect(try matches("/photo/largest(x)", json).isEmpty)
        #expect(try matches("/largest(w)", json) == ["/largest(w)=1"])
        #expect(try matches("/largest(w)/w", "[{\"w\": -1e999}, {\"w\": 1e999}]") == ["/1/w=1e999"])
    }

    @Test("stars multiply up to a limit")
    func limit() throws {
        let row = "[" + Array(repeating: "0", count: 100).joined(separator: ",") + "]"
        let json = "[" + Array(repeating: row, count: 100).joined(separator: ",") + "]"
        #expect(try matches("/*/*", json).count == 1_000)
    }

    @Test(
        "a tree is refused for equal keys, too many values or levels",
        arguments: [
            "{\"a\": 1, \"a\": 2}", "[" + String(repeating: "0,", count: 50_000) + "0]",
            String(repeating: "[", count: 200) + String(repeating: "]", count: 200), "", "{", "[1] 2",
        ])
    func refused(_ json: String) {
        #expect(throws: HookError.self) { try matches("", json) }
    }
}
