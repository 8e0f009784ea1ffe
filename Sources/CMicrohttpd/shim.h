// libmicrohttpd, with its calls that take any number of arguments, which Swift cannot call, as functions.
#include <gnutls/gnutls.h>
#include <microhttpd.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// The functions that a server calls, each with `context`.
struct http_callbacks {
    void *context;
    MHD_AccessHandlerCallback request;
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
};

enum { http_message_size = 256 };

static inline void http_keep_message(void *message, const char *format, va_list arguments) {
    vsnprintf((char *)message, http_message_size, format, arguments);
}

// Starts a server without a listening socket and without a thread: its owner adds connections, and calls `MHD_run`
// when `http_descriptor` is readable. With TLS, `certificate`, `key` and `ciphers` have to stay valid; without it,
// `certificate` is NULL. The library's last message is in `message`, which has `http_message_size` bytes. Returns NULL
// on failure.
static inline struct MHD_Daemon *http_start(const struct http_callbacks *callbacks, unsigned connections, size_t memory,
                                            const char *certificate, const char *key, const char *ciphers,
                                            char *message) {
    unsigned flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)ciphers},
        {MHD_OPTION_END, 0, NULL},
    };
    if (certificate) flags |= MHD_USE_TLS;
    else tls[0] = tls[3];
    return MHD_start_daemon(flags, 0, NULL, NULL, callbacks->request, callbacks->context,
                            MHD_OPTION_EXTERNAL_LOGGER, http_keep_message, message,
                            MHD_OPTION_CONNECTION_LIMIT, connections,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
                            MHD_OPTION_URI_LOG_CALLBACK, callbacks->target, callbacks->context,
                            MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, callbacks->context,
                            MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection, callbacks->context,
                            MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
}

// The descriptor that is readable when a connection is ready; -1 if the library has none.
static inline int http_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *found = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return found ? found->epoll_fd : -1;
}

static inline int http_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *found = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return found ? found->connect_fd : -1;
}

// The context that `callbacks.connection` has set for the connection; NULL if there is none.
static inline void *http_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *found = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return found ? found->socket_context : NULL;
}

// The size of the request's head, in bytes.
static inline size_t http_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *found = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return found ? found->header_size : 0;
}

// Sends as many of the bytes as the socket takes at once. This is for an answer while the body of its request is still
// being received, for which the library has no call. The connection has to be closed afterwards.
static inline void http_send_last(struct MHD_Connection *connection, const void *bytes, size_t count) {
    const union MHD_ConnectionInfo *tls = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    if (tls) (void)gnutls_record_send((gnutls_session_t)tls->tls_session, bytes, count);
    else (void)send(http_socket(connection), bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// accept4(2), whose prototype needs _GNU_SOURCE: a connection that does not block and is closed on exec. -1 on failure.
static inline int http_accept(int listener, struct sockaddr *address, socklen_t *length) {
    return (int)syscall(SYS_accept4, listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
