import type { KeyRecord } from "./keys/schema.ts";
import type { Permission } from "./permissions.ts";

/** Somebody with a live API key. */
export interface KeyCaller {
  type: "key";
  account_id: string;
  key: KeyRecord;
  /** Null: all of them. */
  permissions: readonly Permission[] | null;
  /** The inbox that the key is held to, or null. */
  inbox_id: string | null;
  ip: string | null;
}

/** Somebody without credentials. */
export interface PublicCaller {
  type: "public";
  ip: string | null;
}

/** Who asks. */
export type Caller = KeyCaller | PublicCaller;
