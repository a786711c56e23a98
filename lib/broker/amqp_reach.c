#include "broker/amqp_link.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PROBE_MILLIS 1000

/* The reason of a connection under way; 0 when it comes about. */
static int await_connection(int fd)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLOUT};
    int error = 0;
    socklen_t size = sizeof(error);

    if (poll(&poll_fd, 1, PROBE_MILLIS) != 1) {
        return ETIMEDOUT;
    }
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size)) {
        return errno;
    }
    return error;
}

/* Tries one address and returns its errno; 0 when it connects. */
static int probe(const struct addrinfo *address)
{
    const int fd =
        socket(address->ai_family, address->ai_socktype, address->ai_protocol);
    int error = 0;

    if (fd < 0) {
        return errno;
    }
    if (fcntl(fd, F_SETFL, O_NONBLOCK) ||
        connect(fd, address->ai_addr, address->ai_addrlen)) {
        error = errno == EINPROGRESS ? await_connection(fd) : errno;
    }
    (void)close(fd);
    return error;
}

const char *lq_amqp_unreachable(struct lq_arena *arena, const char *host,
                                unsigned port)
{
    /* rabbitmq-c says no more than "a socket error occurred" */
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    char service[16];
    int error = 0;

    (void)snprintf(service, sizeof(service), "%u", port);
    error = getaddrinfo(host, service, &hints, &list);
    if (error == EAI_MEMORY) {
        return NULL;
    }
    if (error) {
        return lq_format(arena, "the host name cannot be resolved: %s",
                         gai_strerror(error));
    }
    for (const struct addrinfo *at = list; at; at = at->ai_next) {
        error = probe(at);
    }
    freeaddrinfo(list);
    return lq_format(arena, "cannot connect: %s",
                     error ? strerror(error) : "the connection broke");
}
