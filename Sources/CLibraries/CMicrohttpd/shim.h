#pragma once
#include <microhttpd.h>

// The functions with variable arguments, which Swift cannot call.

struct pinpost_mhd_settings {
    int listen_socket;
    unsigned int connections;
    size_t memory_per_connection;
    void *context;
    MHD_AcceptPolicyCallback admit;
    MHD_AccessHandlerCallback handle;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection_changed;
    void *(*request_line)(void *context, const char *target, struct MHD_Connection *connection);
};

/// One thread with epoll on a socket that listens already; NULL when the library refuses.
static inline struct MHD_Daemon *pinpost_mhd_start(const struct pinpost_mhd_settings *settings) {
    void *context = settings->context;
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, 0,
        settings->admit, context, settings->handle, context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket) settings->listen_socket,
        MHD_OPTION_CONNECTION_LIMIT, settings->connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory_per_connection,
        MHD_OPTION_CONNECTION_TIMEOUT, 0U,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_NOTIFY_COMPLETED, settings->completed, context,
        MHD_OPTION_NOTIFY_CONNECTION, settings->connection_changed, context,
        MHD_OPTION_URI_LOG_CALLBACK, settings->request_line, context,
        MHD_OPTION_END);
}

/// What `MHD_NotifyConnectionCallback` stored for the connection.
static inline void *pinpost_mhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : 0;
}

/// The connection's socket, or -1.
static inline int pinpost_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// The other side's address, or NULL.
static inline const struct sockaddr *pinpost_mhd_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : 0;
}
