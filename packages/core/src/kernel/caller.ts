import type { Permission } from "../catalogue/permissions.ts";
import type { KeyRecord } from "../model/keys.ts";

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
