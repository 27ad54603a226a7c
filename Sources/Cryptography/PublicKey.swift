internal import COpenSSL

/// Owns one OpenSSL key.
///
/// `@unchecked Sendable` is safe: nothing changes the key after `init`, and OpenSSL reads keys from any thread.
final class PublicKey: @unchecked Sendable {
    let handle: OpaquePointer

    /// Takes the key over.
    /// - Throws: `.refused` where there is none.
    init(_ handle: OpaquePointer?) throws(CryptographyError) {
        guard let handle else {
            ERR_clear_error()
            throw .refused
        }
        self.handle = handle
    }

    deinit { EVP_PKEY_free(handle) }

    var isRSA: Bool { EVP_PKEY_get_base_id(handle) == EVP_PKEY_RSA }

    var bits: Int { Int(EVP_PKEY_get_bits(handle)) }

    /// OpenSSL's name of the curve; empty for a key without one.
    var curve: String {
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard EVP_PKEY_get_group_name(handle, &name, name.count, &length) == 1, length < name.count else {
            ERR_clear_error()
            return ""
        }
        return String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
