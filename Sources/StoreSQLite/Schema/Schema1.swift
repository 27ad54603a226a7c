/// The first schema.
///
/// Portable SQL: text ids made by the application, times in microseconds, no sequences, triggers or database-side
/// clocks. Every reference inside a tenant's data is `(tenant_id, …)`, so one tenant's row cannot name another's.
enum Schema1 {
    static let statements = [servers, tenants, credentials] + tenantTables + messages + items + queues

    private static let servers = """
        CREATE TABLE servers (
            id TEXT PRIMARY KEY,
            base_url TEXT NOT NULL,
            dialect TEXT NOT NULL CHECK (dialect IN ('v2', 'pinrysaver')),
            allows_private INTEGER NOT NULL,
            ca_pem TEXT,
            max_in_flight INTEGER NOT NULL CHECK (max_in_flight >= 1),
            newest_pin INTEGER NOT NULL,
            -- The earliest time at which one of its queues may have work; never later than that.
            next_due INTEGER NOT NULL DEFAULT 9223372036854775807,
            -- The breaker: nothing is taken before, after so many failures in a row.
            paused_until INTEGER NOT NULL DEFAULT 0,
            failures INTEGER NOT NULL DEFAULT 0,
            -- The later of next_due and paused_until: when somebody should lease it.
            wake_at INTEGER NOT NULL DEFAULT 9223372036854775807,
            lease_owner TEXT NOT NULL DEFAULT '',
            lease_epoch INTEGER NOT NULL DEFAULT 0,
            -- 0: nobody has it.
            lease_until INTEGER NOT NULL DEFAULT 0,
            -- Counts servings, to order the queues that became ready at the same moment.
            turn INTEGER NOT NULL DEFAULT 0,
            UNIQUE (base_url, dialect)
        );
        CREATE INDEX servers_free ON servers (wake_at) WHERE lease_until = 0;
        CREATE INDEX servers_leased ON servers (lease_until) WHERE lease_until <> 0
        """

    private static let tenants = """
        CREATE TABLE tenants (
            id TEXT PRIMARY KEY,
            slug TEXT NOT NULL UNIQUE,
            server_id TEXT NOT NULL REFERENCES servers (id),
            username TEXT,
            token_id TEXT,
            board TEXT,
            -- NULL: active.
            stopped_reason TEXT,
            preferences TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            UNIQUE (id, server_id),
            FOREIGN KEY (id, token_id) REFERENCES credentials (tenant_id, id)
        );
        CREATE INDEX tenants_server ON tenants (server_id)
        """

    private static let credentials = """
        CREATE TABLE credentials (
            id TEXT PRIMARY KEY,
            tenant_id TEXT NOT NULL REFERENCES tenants (id),
            purpose TEXT NOT NULL,
            key_id TEXT NOT NULL,
            box BLOB NOT NULL,
            UNIQUE (tenant_id, id)
        );
        CREATE INDEX credentials_key ON credentials (key_id)
        """

    private static let tenantTables = [
        """
        CREATE TABLE boards (
            tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
            boards TEXT NOT NULL,
            read_at INTEGER NOT NULL
        )
        """,
        // A removed entrance stays as a name for its messages; its secrets go.
        """
        CREATE TABLE addresses (
            id TEXT PRIMARY KEY,
            tenant_id TEXT NOT NULL REFERENCES tenants (id),
            token_hash BLOB UNIQUE,
            token_id TEXT,
            defaults TEXT NOT NULL,
            expires_at INTEGER,
            created_at INTEGER NOT NULL,
            is_removed INTEGER NOT NULL DEFAULT 0,
            UNIQUE (tenant_id, id),
            FOREIGN KEY (tenant_id, token_id) REFERENCES credentials (tenant_id, id)
        )
        """,
        """
        CREATE TABLE hooks (
            id TEXT PRIMARY KEY,
            tenant_id TEXT NOT NULL REFERENCES tenants (id),
            provider TEXT NOT NULL,
            -- SHA-256 hashes of 32 bytes each, one after the other.
            token_hashes BLOB NOT NULL,
            defaults TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            is_removed INTEGER NOT NULL DEFAULT 0,
            UNIQUE (tenant_id, id)
        )
        """,
    ]

    private static let messages = [
        """
        CREATE TABLE messages (
            -- Order of arrival: close to the time in microseconds.
            arrival INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            tenant_id TEXT NOT NULL REFERENCES tenants (id),
            -- 'command', or the id of the entrance, which then stands in its own column as well.
            route TEXT NOT NULL,
            address_id TEXT,
            hook_id TEXT,
            source TEXT NOT NULL,
            delivery_key BLOB NOT NULL,
            body BLOB,
            body_blob TEXT,
            body_count INTEGER NOT NULL,
            body_sha256 BLOB NOT NULL,
            envelope TEXT NOT NULL,
            -- 'reading': taken by the splitter; a start finds it accepted again.
            state TEXT NOT NULL CHECK (state IN ('accepted', 'reading', 'delivering', 'done', 'parked')),
            reason TEXT,
            skipped TEXT NOT NULL DEFAULT '[]',
            -- Raised before each reading: a message that kills the process is found out.
            crashes INTEGER NOT NULL DEFAULT 0,
            due_at INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
            finished_at INTEGER,
            -- Serves the look-up by id as well as the references.
            UNIQUE (id, tenant_id),
            UNIQUE (tenant_id, route, delivery_key),
            CHECK (route = coalesce(address_id, hook_id, 'command')),
            FOREIGN KEY (tenant_id, address_id) REFERENCES addresses (tenant_id, id),
            FOREIGN KEY (tenant_id, hook_id) REFERENCES hooks (tenant_id, id)
        )
        """,
        "CREATE INDEX messages_waiting ON messages (due_at, arrival) WHERE state = 'accepted'",
        "CREATE INDEX messages_reading ON messages (id) WHERE state = 'reading'",
        "CREATE INDEX messages_newest ON messages (tenant_id, arrival)",
        "CREATE UNIQUE INDEX messages_blob ON messages (body_blob) WHERE body_blob IS NOT NULL",
    ]

    private static let items = [
        """
        CREATE TABLE items (
            id TEXT PRIMARY KEY,
            tenant_id TEXT NOT NULL REFERENCES tenants (id),
            message_id TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            -- The message's.
            arrival INTEGER NOT NULL,
            link TEXT,
            link_is_image INTEGER NOT NULL DEFAULT 0,
            name TEXT,
            original BLOB,
            original_blob TEXT,
            original_count INTEGER,
            original_sha256 BLOB,
            draft TEXT NOT NULL,
            step TEXT NOT NULL CHECK (step IN ('prepare', 'upload', 'pin', 'board', 'done')),
            state TEXT NOT NULL CHECK (state IN ('ready', 'running', 'parked', 'cancelled', 'done')),
            -- 0 prepares, 1 delivers; follows from the step.
            lane INTEGER NOT NULL DEFAULT 0,
            -- 1 for the board step, which comes after the other steps of its message.
            is_late INTEGER NOT NULL DEFAULT 0,
            due_at INTEGER NOT NULL,
            attempt INTEGER NOT NULL DEFAULT 0,
            crashes INTEGER NOT NULL DEFAULT 0,
            lease_epoch INTEGER NOT NULL DEFAULT 0,
            ambiguous_until INTEGER,
            prepared BLOB,
            prepared_blob TEXT,
            prepared_count INTEGER,
            prepared_sha256 BLOB,
            prepared_type TEXT,
            image_id INTEGER,
            pin_floor INTEGER,
            pin_id INTEGER,
            board_id INTEGER,
            reason TEXT,
            queued_at INTEGER NOT NULL,
            finished_at INTEGER,
            UNIQUE (message_id, sequence),
            CHECK ((link IS NULL) = (original_sha256 IS NOT NULL)),
            FOREIGN KEY (message_id, tenant_id) REFERENCES messages (id, tenant_id)
        )
        """,
        "CREATE INDEX items_due ON items (tenant_id, lane, due_at, arrival, is_late, sequence) WHERE state = 'ready'",
        "CREATE INDEX items_board ON items (tenant_id, board_id, due_at) WHERE state = 'ready' AND step = 'board'",
        "CREATE INDEX items_running ON items (tenant_id) WHERE state = 'running'",
        "CREATE INDEX items_parked ON items (tenant_id, arrival, sequence) WHERE state = 'parked'",
        "CREATE INDEX items_newest ON items (tenant_id, arrival, sequence)",
        "CREATE UNIQUE INDEX items_original ON items (original_blob) WHERE original_blob IS NOT NULL",
        "CREATE UNIQUE INDEX items_prepared ON items (prepared_blob) WHERE prepared_blob IS NOT NULL",
    ]

    /// One row for each tenant and lane: whose turn it is on a server.
    private static let queues = [
        """
        CREATE TABLE queues (
            tenant_id TEXT NOT NULL,
            lane INTEGER NOT NULL,
            server_id TEXT NOT NULL,
            -- When the tenant may be served next: the later of his earliest due item and his last serving.
            ready_at INTEGER NOT NULL DEFAULT 9223372036854775807,
            turn INTEGER NOT NULL DEFAULT 0,
            is_stopped INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (tenant_id, lane),
            FOREIGN KEY (tenant_id, server_id) REFERENCES tenants (id, server_id) ON UPDATE CASCADE
        )
        """,
        "CREATE INDEX queues_ready ON queues (server_id, lane, ready_at, turn)",
    ]
}
