/// The fields that a payload may have, whatever its form.
enum Field: Hashable {
    case url, imageURL, image, description, title, text, source, board, tags, isPrivate, isAgain, fileName

    /// By a key of JSON or the name of a form field, in any case; `tags[]` and `image[0]` are lists of one.
    init?(named name: String) {
        switch name.prefix(while: { $0 != "[" }).lowercased() {
        case "url", "link": self = .url
        case "image_url", "imageurl": self = .imageURL
        case "image", "images", "attachments": self = .image
        case "description": self = .description
        case "title": self = .title
        case "text", "message": self = .text
        case "source", "referer": self = .source
        case "board": self = .board
        case "tags": self = .tags
        case "private": self = .isPrivate
        case "again": self = .isAgain
        case "filename": self = .fileName
        default: return nil
        }
    }
}
