/// The fields that a payload may have, whatever its form.
enum Field: Hashable {
    case url, imageURL, image, description, title, text, source, board, tags, isPrivate, isAgain, fileName
    /// Where a notification leads: the source of its picture, or the link where there is nothing else.
    case click
    /// A further line of the text: IFTTT has three fields without a meaning.
    case line

    /// A data URL may stand here as well.
    var isLink: Bool { self == .url || self == .imageURL }

    /// By a key of JSON or the name of a form field, in any case; `tags[]` and `image[0]` are lists of one.
    init?(named name: String) {
        switch name.prefix(while: { $0 != "[" }).lowercased() {
        case "url", "link", "attach": self = .url
        case "image_url", "imageurl": self = .imageURL
        case "image", "images", "attachment", "attachments": self = .image
        case "description": self = .description
        case "title": self = .title
        case "text", "message": self = .text
        case "source", "referer": self = .source
        case "board": self = .board
        case "tags": self = .tags
        case "private": self = .isPrivate
        case "again": self = .isAgain
        case "filename": self = .fileName
        case "click": self = .click
        case "value1", "value2", "value3": self = .line
        default: return nil
        }
    }
}
