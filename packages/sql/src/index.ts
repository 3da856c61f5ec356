export * from "./deadline.ts";
export * from "./packed-bytes.ts";
export * from "./sql-dialect.ts";
export * from "./statements.ts";
export * from "./transaction-handle.ts";
export * from "./verbs.ts";
