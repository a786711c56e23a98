/* Certificates for a peer and for its clients, made for one test. */
#ifndef PEER_IDENTITY_H
#define PEER_IDENTITY_H

#include <stdbool.h>

/* A key and a certificate that it signed itself, in files. */
struct peer_identity {
    char cert_file[64];
    char key_file[64];
    struct ssl_ctx_st *context; /* of a server with them */
};

/*
 * `names` are such as "IP:127.0.0.1"; it is valid from so many seconds from now
 * on, for as many as `lifetime`. With a passphrase its key file has that. False
 * when that cannot be; to be freed in any case.
 */
bool peer_identity_make(struct peer_identity *out, const char *names,
                        const long times[2], const char *passphrase);
void peer_identity_free(struct peer_identity *identity);

#endif
