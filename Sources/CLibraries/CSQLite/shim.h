#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast, sqlite3_db_config is variadic: neither is visible in Swift.
static inline int pinpost_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 size) {
    return sqlite3_bind_text64(statement, index, text, size, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline int pinpost_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 size) {
    return sqlite3_bind_blob64(statement, index, bytes, size, SQLITE_TRANSIENT);
}
static inline int pinpost_forbid_checkpoint_on_close(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// So are the extended result codes.
static const int pinpost_constraint_unique = SQLITE_CONSTRAINT_UNIQUE;
static const int pinpost_constraint_primary_key = SQLITE_CONSTRAINT_PRIMARYKEY;
static const int pinpost_constraint_foreign_key = SQLITE_CONSTRAINT_FOREIGNKEY;
