extension InterfaceDescription {
    /// What the paths refer to; each schema says what every request and answer of its kind is like.
    static var components: String {
        #""securitySchemes":{\#(securitySchemes)},"parameters":{\#(parameters)},"schemas":{\#(schemas)}"#
    }

    private static let securitySchemes = """
        "bearer":{"type":"http","scheme":"bearer","description":"The token that `hook add` has shown."},
        "basic":{"type":"http","scheme":"basic","description":"Any name, and the token as password."}
        """

    private static let parameters = #"""
        "HookID":{"name":"id","in":"path","required":true,"schema":{"type":"string","pattern":"^[a-z0-9]{1,64}$"}},
        "MessageID":{"name":"id","in":"path","required":true,"schema":{"type":"string","pattern":"^[a-z0-9]{1,64}$"}},
        "Secret":{"name":"secret","in":"path","required":true,"description":"The token, for senders without headers.",
        "schema":{"type":"string","pattern":"^[a-z0-9_]{1,128}$"}},
        "UndoKey":{"name":"key","in":"path","required":true,"description":"As it stands in `undo_url`.",
        "schema":{"type":"string","pattern":"^[0-9a-f]{64}$"}},
        "Wait":{"name":"wait","in":"query","description":"Seconds to wait for the pins.",
        "schema":{"type":"integer","minimum":0,"maximum":60}},
        "IdempotencyKey":{"name":"Idempotency-Key","in":"header","description":
        "Equal for all repeats of one request: they become one message, and get the answer of the first.",
        "schema":{"type":"string","minLength":1,"maxLength":255,"pattern":"^[!-~]{1,255}$"}}
        """#

    private static var schemas: String {
        [
            ("Problem", problem), ("Accepted", accepted), ("Report", report), ("Fields", fields),
            ("Payload", payload), ("Picture", picture),
        ].map { #""\#($0.0)":\#($0.1)"# }.joined(separator: ",")
    }

    /// RFC 9457.
    private static let problem = """
        {"type":"object","required":["type","title","status","detail"],"properties":{"type":{"type":"string"},
        "title":{"type":"string"},"status":{"type":"integer"},"detail":{"type":"string"},
        "position":{"type":"object","required":["byte","line","column"]},
        "accepted":{"type":"array","items":{"type":"string"}}}}
        """

    private static let accepted = """
        {"type":"object","required":["id","state"],"properties":{"id":{"type":"string"},"state":{"const":"accepted"}}}
        """

    private static let report = """
        {"type":"object","required":["id","state","reason","items","skipped"],"properties":{"id":{"type":"string"},
        "state":{"enum":["accepted","delivering","done","parked"]},"reason":{"type":["string","null"],
        "description":"Why something is not pinned."},"items":{"type":"array","items":{"type":"object",
        "required":["id","kind","state","step","reason","pin"],"properties":{"id":{"type":"string"},
        "kind":{"enum":["image","link"]},"state":{"enum":["ready","running","parked","cancelled","done"]},
        "step":{"enum":["prepare","upload","pin","board","done"]},"reason":{"type":["string","null"]},
        "pin":{"anyOf":[{"type":"null"},{"type":"object","required":["id","url"],"properties":{"id":{"type":"integer"},
        "url":{"type":"string"},"thumbnail":{"type":"string","description":"A small copy of the picture."}}}]}}}},"skipped":{"type":"array","items":{"type":"object",
        "required":["kind","reason","type","bytes"],"properties":{"kind":{"enum":["image","link","file"]},
        "reason":{"type":"string"}}}},"undo_url":{"type":"string",
        "description":"POST or DELETE takes the pins back, for a day; GET asks a person first."}}}
        """

    /// What a form and each object of JSON may say.
    private static let fieldProperties = """
        "url":{"type":"string","description":"A page or a picture."},"image_url":{"type":"string"},
        "description":{"type":"string","maxLength":60000},"title":{"type":"string","maxLength":60000},
        "text":{"type":"string","maxLength":60000,"description":"May hold links and commands."},
        "source":{"type":"string"},"board":{"type":"string"},"private":{"type":"boolean"},"again":{"type":"boolean"},
        "filename":{"type":"string"}
        """

    private static let fields = #"{"type":"object","properties":{\#(fieldProperties),"tags":\#(tags)}}"#

    /// Commas between them, each of at most 100 characters.
    static let tags = #"{"type":"string","pattern":"^[^,]{0,100}(,[^,]{0,100}){0,50}$"}"#

    private static let payload = ##"""
        {"type":"object","properties":{\##(fieldProperties),"tags":{"anyOf":[\##(tags),{"type":"array","items":\##(tags)}]},"image":{"anyOf":[{"$ref":"#/components/schemas/Picture"},{"type":"array","items":
        {"$ref":"#/components/schemas/Picture"}}]},"items":{"type":"array","maxItems":1000,"items":{"type":"object",
        "properties":{\##(fieldProperties)}}}}}
        """##

    private static let picture = """
        {"anyOf":[{"type":"string","description":"Base64, a data URL, or a link."},{"type":"object","properties":
        {"base64":{"type":"string"},"url":{"type":"string"},"filename":{"type":"string"}}}]}
        """
}
