extension ProviderReport {
    /// The lines, as many as fit; what is left out is counted.
    func text(upTo limit: Int) -> String {
        guard plainText.count > limit else { return plainText }
        return String(plainText.prefix(limit - 1)) + "…"
    }
}
