#include <libpq-fe.h>

// The codes of the fields of an error are macros of characters, which Swift does not import.
static const int postgres_field_severity = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int postgres_field_sqlstate = PG_DIAG_SQLSTATE;
static const int postgres_field_message = PG_DIAG_MESSAGE_PRIMARY;
static const int postgres_field_detail = PG_DIAG_MESSAGE_DETAIL;
static const int postgres_field_hint = PG_DIAG_MESSAGE_HINT;
static const int postgres_field_constraint = PG_DIAG_CONSTRAINT_NAME;
