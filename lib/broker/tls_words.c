#include "broker/tls_words.h"

#include <openssl/x509_vfy.h>

const char *lq_tls_untrusted(int error, const struct lq_connection *connection,
                             struct lq_arena *arena)
{
    const char *const file = connection->tls_ca_file;

    switch (error) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
        return lq_format(arena,
                         "the peer's certificate is not for '%s': use a host "
                         "name or address that is in it",
                         connection->host);
    case X509_V_ERR_CERT_HAS_EXPIRED:
        return "the peer's certificate has expired: it has to be renewed there";
    case X509_V_ERR_CERT_NOT_YET_VALID:
        return "the peer's certificate is not valid yet: compare its dates "
               "with the clock here";
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
        return lq_format(
            arena,
            "the peer's certificate is signed by no authority in "
            "%s%s%s: give the file of the authority that signed it",
            file ? "'" : "the system's certificates", file ? file : "",
            file ? "'" : "");
    default:
        return lq_format(arena, "the peer's certificate is refused: %s",
                         X509_verify_cert_error_string(error));
    }
}
