/** The building blocks of an adapter for an SQL database; see docs/sql-adapters.md. */

export { areIndependent } from "./access.ts";
export { type AddressDialect, canonicalAddresses } from "./canonical-addresses.ts";
export {
  compressBytes,
  decompressBytes,
  MAX_COMPRESSIBLE_BYTES,
  type StoredBytes,
} from "./compressed-bytes.ts";
export { claimedFromOutside, keysInUse } from "./data-steps.ts";
export { readStart } from "./read-start.ts";
export { createRecordLocks, type RecordLocks } from "./record-locks.ts";
export { registeredAddresses } from "./registered-addresses.ts";
export {
  createTableStatements,
  type DataSteps,
  latestVersion,
  type Migration,
  type PendingMigrations,
  pendingMigrations,
  type Schema,
  type TableLayout,
} from "./schema.ts";
export { documentScopes, isSearchTerm, queryScopes } from "./search-words.ts";
export type { Access, AnyTables, Row, SqlDialect, SqlStatement } from "./sql-dialect.ts";
export { createSqlStorage, type GuardedStorage, type SqlBackend } from "./sql-storage.ts";
export {
  type AskedStatement,
  type BufferedWrite,
  bufferStatement,
  type Combine,
  type OpenTransaction,
  openTransaction,
  runTransaction,
  type TransactionControl,
  type TransactionSession,
  withDeadline,
} from "./transaction.ts";
export { type Answer, createVerbs, type SqlSession, type Verbs } from "./verbs.ts";
export { verifiedBlob } from "./verified-blob.ts";
