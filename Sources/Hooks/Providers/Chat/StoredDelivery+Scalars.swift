extension StoredDelivery {
    /// What stands at the top of a form or a JSON object as text or number; a list of texts has commas between them.
    func scalars() throws(HookError) -> [String: String] {
        switch try PayloadKind(contentType: contentType) {
        case .json, .unlabelled:
            return try object().members.compactMapValues { value in
                value.scalar
                    ?? (value.elements.isEmpty ? nil : value.elements.compactMap(\.scalar).joined(separator: ","))
            }
        case .multipart:
            var fields: [String: String] = [:]
            try formParts { name, part in
                if fields[name] == nil { fields[name] = part.string }
            }
            return fields
        default: return try form()
        }
    }
}
