#include "broker/tls_words.h"

#include <openssl/x509_vfy.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void says_what_to_do_about_a_certificate(void **state)
{
    static const struct {
        int error;
        const char *file;
        const char *part;
    } cases[] = {
        {X509_V_ERR_IP_ADDRESS_MISMATCH, NULL, "is not for 'mq'"},
        {X509_V_ERR_CERT_HAS_EXPIRED, NULL, "has expired"},
        {X509_V_ERR_CERT_NOT_YET_VALID, NULL, "is not valid yet"},
        {X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, "ca.pem",
         "by no authority in 'ca.pem': "},
        {X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, NULL,
         "by no authority in the system's certificates: "},
        {X509_V_ERR_CERT_REVOKED, NULL, "is refused: certificate revoked"},
    };
    struct lq_arena arena;

    (void)state;
    lq_arena_init(&arena);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        const struct lq_connection connection = {.host = "mq",
                                                 .tls_ca_file = cases[i].file};

        assert_non_null(
            strstr(lq_tls_untrusted(cases[i].error, &connection, &arena),
                   cases[i].part));
    }
    lq_arena_free(&arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_to_do_about_a_certificate),
    };

    return cmocka_run_group_tests_name("tls_words", tests, NULL, NULL);
}
