#include "peer_identity.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool name_it(X509 *cert, const char *names)
{
    X509_NAME *const name = X509_get_subject_name(cert);
    X509_EXTENSION *const extension =
        X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, names);
    const bool named = extension && X509_add_ext(cert, extension, -1) == 1 &&
                       X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                                                  (const unsigned char *)"peer",
                                                  -1, -1, 0) == 1 &&
                       X509_set_issuer_name(cert, name) == 1;

    X509_EXTENSION_free(extension);
    return named;
}

static X509 *sign(EVP_PKEY *key, const char *names, const long times[2])
{
    X509 *const cert = X509_new();

    if (!cert || X509_set_version(cert, 2) != 1 ||
        ASN1_INTEGER_set(X509_get_serialNumber(cert), 1) != 1 ||
        !X509_gmtime_adj(X509_getm_notBefore(cert), times[0]) ||
        !X509_gmtime_adj(X509_getm_notAfter(cert), times[0] + times[1]) ||
        X509_set_pubkey(cert, key) != 1 || !name_it(cert, names) ||
        X509_sign(cert, key, EVP_sha256()) == 0) {
        X509_free(cert);
        return NULL;
    }
    return cert;
}

/* A new file; its name takes the place of the template. */
static FILE *create(char *template)
{
    const int fd = mkstemp(template);

    return fd < 0 ? NULL : fdopen(fd, "w");
}

static bool write_files(struct peer_identity *out, EVP_PKEY *key, X509 *cert,
                        const char *passphrase)
{
    FILE *const certs = create(out->cert_file);
    FILE *const keys = create(out->key_file);
    const EVP_CIPHER *const cipher = passphrase ? EVP_aes_128_cbc() : NULL;
    bool done = certs && keys && PEM_write_X509(certs, cert) == 1 &&
                PEM_write_PKCS8PrivateKey(
                    keys, key, cipher, passphrase,
                    passphrase ? (int)strlen(passphrase) : 0, NULL, NULL) == 1;

    if (certs) {
        done = fclose(certs) == 0 && done;
    }
    if (keys) {
        done = fclose(keys) == 0 && done;
    }
    return done;
}

bool peer_identity_make(struct peer_identity *out, const char *names,
                        const long times[2], const char *passphrase)
{
    EVP_PKEY *const key = EVP_EC_gen("P-256");
    X509 *const cert = key ? sign(key, names, times) : NULL;
    bool made = false;

    *out = (struct peer_identity){.cert_file = "/tmp/peer-cert-XXXXXX",
                                  .key_file = "/tmp/peer-key-XXXXXX",
                                  .context = SSL_CTX_new(TLS_server_method())};
    made = cert && out->context && write_files(out, key, cert, passphrase) &&
           SSL_CTX_use_certificate(out->context, cert) == 1 &&
           SSL_CTX_use_PrivateKey(out->context, key) == 1;
    X509_free(cert);
    EVP_PKEY_free(key);
    return made;
}

void peer_identity_free(struct peer_identity *identity)
{
    SSL_CTX_free(identity->context);
    identity->context = NULL;
    (void)unlink(identity->cert_file);
    (void)unlink(identity->key_file);
}
