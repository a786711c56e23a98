#include "peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ACCEPT_MILLIS 20000
#define QUIET_MILLIS 80

bool peer_accept(struct peer *peer)
{
    struct pollfd fd = {.fd = peer->listener, .events = POLLIN};

    if (poll(&fd, 1, ACCEPT_MILLIS) != 1) {
        return false;
    }
    peer->fd = accept(peer->listener, NULL, NULL);
    if (peer->fd < 0 || !peer->context) {
        return peer->fd >= 0;
    }
    peer->tls = SSL_new(peer->context);
    return peer->tls && SSL_set_fd(peer->tls, peer->fd) == 1 &&
           SSL_accept(peer->tls) == 1;
}

/* Reads until the client hangs up, so that nothing on its way is lost. */
static void drain(int fd)
{
    uint8_t waste[4096];
    ssize_t got = 0;

    do {
        got = recv(fd, waste, sizeof(waste), 0);
    } while (got > 0);
}

void peer_hang_up(struct peer *peer, bool reset)
{
    const struct linger at_once = {.l_onoff = 1};

    if (peer->tls && !reset) {
        (void)SSL_shutdown(peer->tls);
    }
    SSL_free(peer->tls);
    peer->tls = NULL;
    if (peer->fd < 0) {
        return;
    }
    if (reset) {
        (void)setsockopt(peer->fd, SOL_SOCKET, SO_LINGER, &at_once,
                         sizeof(at_once));
    } else {
        (void)shutdown(peer->fd, SHUT_WR);
        drain(peer->fd);
    }
    (void)close(peer->fd);
    peer->fd = -1;
}

bool peer_send(struct peer *peer, const void *at, size_t length)
{
    const uint8_t *const bytes = at;
    size_t sent = 0;

    if (peer->tls) {
        return length == 0 || SSL_write_ex(peer->tls, at, length, &sent) == 1;
    }
    while (sent < length) {
        const ssize_t now =
            send(peer->fd, bytes + sent, length - sent, MSG_NOSIGNAL);

        if (now < 0) {
            return false;
        }
        sent += (size_t)now;
    }
    return true;
}

bool peer_read(struct peer *peer, uint8_t *at, size_t length)
{
    size_t done = 0;

    while (done < length) {
        size_t now = 0;

        if (peer->tls) {
            if (SSL_read_ex(peer->tls, at + done, length - done, &now) != 1) {
                return false;
            }
        } else {
            const ssize_t got = recv(peer->fd, at + done, length - done, 0);

            now = got > 0 ? (size_t)got : 0;
        }
        if (now == 0) {
            return false;
        }
        done += now;
    }
    return true;
}

bool peer_is_quiet(const struct peer *peer)
{
    struct pollfd fd = {.fd = peer->fd, .events = POLLIN};

    return poll(&fd, 1, QUIET_MILLIS) == 0;
}
