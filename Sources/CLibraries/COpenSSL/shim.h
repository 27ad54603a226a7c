#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>

// HKDF with SHA-256 (RFC 5869) in one call, so that the parameter list never leaves C; 1 on success.
static inline int pinpost_hkdf_sha256(
    const void *key, size_t key_size, const void *salt, size_t salt_size, const void *info, size_t info_size,
    unsigned char *output, size_t output_size) {
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, OSSL_KDF_NAME_HKDF, NULL);
    EVP_KDF_CTX *context = kdf != NULL ? EVP_KDF_CTX_new(kdf) : NULL;
    EVP_KDF_free(kdf);
    if (context == NULL) return 0;
    OSSL_PARAM parameters[5];
    parameters[0] = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)OSSL_DIGEST_NAME_SHA2_256, 0);
    parameters[1] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)key, key_size);
    parameters[2] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_size);
    parameters[3] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_size);
    parameters[4] = OSSL_PARAM_construct_end();
    int status = EVP_KDF_derive(context, output, output_size, parameters);
    EVP_KDF_CTX_free(context);
    return status;
}
