import PinpostCore

/// A handful of hosts whose addresses tell where the picture is.
enum KnownHosts {
    /// The picture that a link means, where its address alone says so; tried before the link itself.
    static func pictures(behind link: WebAddress) -> [String] {
        switch link.hostName {
        case "i.imgur.com" where link.path.hasSuffix(".gifv"):
            return [link.origin + link.path.dropLast(1)]
        case "preview.redd.it": return ["https://i.redd.it" + link.path]
        case "pbs.twimg.com": return [larger(link)].compactMap(\.self)
        case "upload.wikimedia.org": return [larger(link)].compactMap(\.self)
        default: return []
        }
    }

    /// The title frame of a film, in the sizes that may exist.
    static func frames(of link: WebAddress) -> [OfferedPicture] {
        let hosts = ["www.youtube.com", "youtube.com", "m.youtube.com", "youtu.be", "www.youtube-nocookie.com"]
        guard hosts.contains(link.hostName), let video = video(link) else { return [] }
        return ["maxresdefault", "hqdefault"].map {
            OfferedPicture(url: "https://i.ytimg.com/vi/\(video)/\($0).jpg", rule: "known host")
        }
    }

    /// The same picture in full size, where the host keeps one; it may be missing.
    static func larger(_ picture: WebAddress) -> String? {
        switch picture.hostName {
        case "preview.redd.it": return "https://i.redd.it" + picture.path
        case "pbs.twimg.com": return twitter(picture)
        case "i.ytimg.com", "img.youtube.com": return youtube(picture)
        case "upload.wikimedia.org": return wikimedia(picture)
        default: return nil
        }
    }

    /// Where to ask for hosts that do not name it on the page.
    static func embedAddress(of page: WebAddress) -> WebAddress? {
        let endpoint: String
        switch page.hostName {
        case "www.youtube.com", "youtube.com", "m.youtube.com", "youtu.be": endpoint = "https://www.youtube.com/oembed"
        case "vimeo.com": endpoint = "https://vimeo.com/api/oembed.json"
        case "www.flickr.com", "flickr.com", "flic.kr": endpoint = "https://www.flickr.com/services/oembed/"
        case "soundcloud.com": endpoint = "https://soundcloud.com/oembed"
        case "www.tiktok.com": endpoint = "https://www.tiktok.com/oembed"
        case "open.spotify.com": endpoint = "https://open.spotify.com/oembed"
        default: return nil
        }
        return WebAddress("\(endpoint)?format=json&url=\(percentEncoded(page.withoutFragment))")
    }

    /// YouTube shows a grey frame of 120×90 pixels where a size does not exist.
    static func isMissing(_ address: WebAddress, width: Int, height: Int) -> Bool {
        ["i.ytimg.com", "img.youtube.com"].contains(address.hostName) && width == 120 && height == 90
    }

    private static func video(_ link: WebAddress) -> Substring? {
        let parts = link.path.split(separator: "/")
        let id: Substring?
        if link.hostName == "youtu.be" {
            id = parts.first
        } else if let first = parts.first, ["embed", "shorts", "live", "v"].contains(first) {
            id = parts.dropFirst().first
        } else {
            id = link.query?.split(separator: "&").first { $0.hasPrefix("v=") }?.dropFirst(2)
        }
        guard let id, id.count == 11, id.utf8.allSatisfy({ isToken($0) }) else { return nil }
        return id
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || Character(Unicode.Scalar(byte)).isLetter
            || Character(Unicode.Scalar(byte)).isNumber
    }

    private static func youtube(_ picture: WebAddress) -> String? {
        let parts = picture.path.split(separator: "/")
        guard parts.count == 3, parts[0] == "vi", parts[2] != "maxresdefault.jpg" else { return nil }
        return "\(picture.origin)/vi/\(parts[1])/maxresdefault.jpg"
    }

    private static func twitter(_ picture: WebAddress) -> String? {
        guard picture.path.hasPrefix("/media/") else { return nil }
        if let query = picture.query {
            let format = query.split(separator: "&").first { $0.hasPrefix("format=") }
            return format.map { "\(picture.origin)\(picture.path)?\($0)&name=orig" }
        }
        let name = picture.path.prefix { $0 != ":" }
        return name.contains(".") ? "\(picture.origin)\(name)?name=orig" : nil
    }

    /// `…/thumb/a/ab/Name.jpg/320px-Name.jpg` is a small one of `…/a/ab/Name.jpg`.
    private static func wikimedia(_ picture: WebAddress) -> String? {
        guard let thumb = picture.path.firstRange(of: "/thumb/"), let slash = picture.path.lastIndex(of: "/") else {
            return nil
        }
        let full = picture.path[..<thumb.lowerBound] + "/" + picture.path[thumb.upperBound..<slash]
        let isShown = [".jpg", ".jpeg", ".png", ".gif", ".webp"].contains { full.lowercased().hasSuffix($0) }
        return isShown ? picture.origin + full : nil
    }

    static func percentEncoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { coded, byte in
            let character = Character(Unicode.Scalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character) {
                coded.append(character)
            } else {
                coded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
