//! `seamcheck schema`: the JSON Schemas of what travels and of what is written.

use crate::cli::SchemaName;
use crate::report::schema::certificate_schema;

pub(super) fn schema(of: SchemaName) -> String {
    match of {
        SchemaName::Certificate => certificate_schema(),
        SchemaName::Protocol => seamcheck_protocol::schema::schema_text(),
    }
}
