internal import PinpostCore

/// `GET /openapi.json`: the HTTP interface in the form of OpenAPI 3.1, for clients, generators and testers.
enum InterfaceDescription {
    static func answer(_ head: RequestHead, publicURL: String?) -> HTTPAnswer {
        guard head.method == "GET" || head.method == "HEAD" else { return .methodNotAllowed("GET, HEAD") }
        return HTTPAnswer(200, contentType: "application/json", text: text(publicURL: publicURL))
    }

    static func text(publicURL: String?) -> String {
        let members = [
            (#""openapi":"3.1.0""#), info, #""servers":[{"url":\#(JSONText.quote(publicURL ?? "/"))}]"#,
            #""security":[{"bearer":[]},{"basic":[]}]"#, #""paths":{\#(paths)}"#, #""components":{\#(components)}"#,
        ]
        return "{\(members.joined(separator: ","))}\n"
    }

    private static let info = """
        "info":{"title":"Pinpost","version":"1","summary":"Pins what is sent to a hook on its owner's Pinry.",
        "license":{"name":"MIT","identifier":"MIT"}}
        """

    private static var paths: String {
        [
            (path: "/v1/hooks/{id}", item: hook(secret: false)),
            (path: "/v1/hooks/{id}/{secret}", item: hook(secret: true)),
            (path: "/v1/messages/{id}", item: message(secret: false)),
            (path: "/v1/messages/{id}/{secret}", item: message(secret: true)),
            (path: "/v1/messages/{id}/undo/{key}", item: undo),
            (path: "/healthz", item: health("Whether the process works")),
            (path: "/readyz", item: health("Whether messages are taken at this moment")),
            (
                path: "/openapi.json",
                item: #"{"get":{"operationId":"describe","summary":"This text","security":[],"#
                    + #""responses":{"200":{"description":"OpenAPI 3.1","content":{"application/json":{"schema":"#
                    + #"{"type":"object"}}}}}}}"#
            ),
        ].map { "\(JSONText.quote($0.path)):\($0.item)" }.joined(separator: ",")
    }

    private static func parameters(_ id: String, secret: Bool) -> String {
        let names = secret ? [id, "Secret"] : [id]
        return names.map { ##"{"$ref":"#/components/parameters/\##($0)"}"## }.joined(separator: ",")
    }

    private static func hook(secret: Bool) -> String {
        let methods = ["post", "put"].map { method in
            let id = "\(method)Message\(secret ? "BySecret" : "")"
            return """
                "\(method)":{"operationId":"\(id)","summary":"Take pictures and links",\(secret ? noSecurity : "")
                "parameters":[\(messageParameters)],"requestBody":{"required":false,"content":{\(bodies)}},
                "responses":{\(messageAnswers)}}
                """
        }
        return #"{"parameters":[\#(parameters("HookID", secret: secret))],\#(methods.joined(separator: ","))}"#
    }

    private static func message(secret: Bool) -> String {
        """
        {"parameters":[\(parameters("MessageID", secret: secret))],"get":{
        "operationId":"status\(secret ? "BySecret" : "")","summary":"What became of a message",
        "security":[\(secret ? "" : #"{"bearer":[]},{"basic":[]},"#){}],"responses":{"200":{"description":"Where it stands","content":{"application/json":
        {"schema":{"$ref":"#/components/schemas/Report"}}}},\(problems([400, 404, 429, 503]))}}}
        """
    }

    /// Its link stands in the report (`undo_url`).
    private static var undo: String {
        let operations = [
            (method: "get", summary: "Ask a person whether the pins are to be taken back"),
            (method: "post", summary: "Take the pins of a message back"),
            (method: "delete", summary: "Take the pins of a message back"),
        ].map { method, summary in
            """
            "\(method)":{"operationId":"\(method)Undo","summary":"\(summary)",\(noSecurity)"responses":{\(undoAnswers)}}
            """
        }
        let parameters = [parameters("MessageID", secret: false), ##"{"$ref":"#/components/parameters/UndoKey"}"##]
        return #"{"parameters":[\#(parameters.joined(separator: ","))],\#(operations.joined(separator: ","))}"#
    }

    private static var undoAnswers: String {
        let page = #""text/html":{"schema":{"type":"string"}}"#
        let words = ##""application/json":{"schema":{"type":"object","required":["detail"]}}"##
        let problem = ##""application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}"##
        let others = [
            (409, "Another pin shows the same picture: it stays"), (410, "Too late"),
            (502, "The Pinry does not let us"),
            (503, "Not all of it can be done now; try again"),
        ].map { status, text in "\"\(status)\":{\"description\":\"\(text)\",\"content\":{\(page),\(problem)}}," }
        return #""200":{"description":"In words","content":{\#(page),\#(words)}},"# + others.joined()
            + problems([400, 404, 429])
    }

    private static func health(_ summary: String) -> String {
        """
        {"get":{"summary":"\(summary)",\(noSecurity)"responses":{"200":{"description":"It does","content":
        {"application/json":{"schema":{"type":"object","required":["status"]}}}},\(problems([503]))}}}
        """
    }

    private static let noSecurity = #""security":[],"#

    private static var messageParameters: String {
        let shared = ["Wait", "IdempotencyKey"].map { ##"{"$ref":"#/components/parameters/\##($0)"}"## }
        let fields = ["title", "description", "text", "tags", "board", "source", "filename"].map { name in
            let schema = name == "tags" ? tags : #"{"type":"string","maxLength":1000}"#
            return #"{"name":"\#(name)","in":"query","schema":\#(schema)}"#
        }
        return (shared + fields).joined(separator: ",")
    }

    private static let bodies = ##"""
        "application/json":{"schema":{"$ref":"#/components/schemas/Payload"}},
        "application/x-www-form-urlencoded":{"schema":{"$ref":"#/components/schemas/Fields"}},
        "multipart/form-data":{"schema":{"type":"object","properties":{"image":{"type":"array","items":{"type":
        "string","contentMediaType":"application/octet-stream"}},"description":{"type":"string"}}}},
        "text/plain":{"schema":{"type":"string"}},
        "image/*":{"schema":{"contentMediaType":"application/octet-stream"}}
        """##

    private static var messageAnswers: String {
        ##"""
        "200":{"description":"With `wait`: nothing of it is on its way any more","headers":{\##(location)},
        "content":{"application/json":{"schema":{"$ref":"#/components/schemas/Report"}}}},
        "202":{"description":"Stored; what becomes of it stands at `Location`","headers":{\##(location)},"content":
        {"application/json":{"schema":{"anyOf":[{"$ref":"#/components/schemas/Accepted"},
        {"$ref":"#/components/schemas/Report"}]}}}},
        "303":{"description":"For a browser's form: the status","headers":{\##(location)}},
        \##(problems([400, 401, 403, 409, 413, 415, 422, 429, 431, 503, 507]))
        """##
    }

    private static let location = #""Location":{"schema":{"type":"string"}}"#

    private static func problems(_ statuses: [Int]) -> String {
        statuses.map { status in
            let description = JSONText.quote(HTTPAnswer.phrase(status))
            return ##""\##(status)":{"description":\##(description),"content":{"application/problem+json":{"schema":"##
                + ##"{"$ref":"#/components/schemas/Problem"}}}}"##
        }.joined(separator: ",")
    }
}
