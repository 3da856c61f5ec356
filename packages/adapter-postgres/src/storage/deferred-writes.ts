import type { TableName } from "@letterslot/core/ports";
import { type Access, areIndependent, type BufferedWrite } from "@letterslot/sql";
import type { Connection } from "../connections/database.ts";
import { charactersOf } from "../search/search-index.ts";
import type { MergeStatements } from "../statements/merge-statements.ts";

/**
 * Writes of a group's transactions that none of them reads: they wait for the group's end, so that each table gets one
 * insert for all of them.
 */
export interface DeferredWrites {
  add(writes: readonly BufferedWrite[]): void;
  /** Whether a statement must see the waiting writes. One without `access` may read anything. */
  matterTo(access: Access | undefined): boolean;
  /**
   * Sends the waiting writes, and resolves once everything sent so far is written; throws at once if one can't be sent.
   */
  send(): Promise<unknown>;
}

/** More is sent earlier, so that neither memory nor the time to send it depends on how large a group's mails are. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** A statement is compared with at most so many writes to its table. */
const MAX_COMPARED = 256;
/** The approximate cost of a row besides its texts. */
const ROW_BYTES = 100;

/** Deferred writes of a transaction on this connection. */
export function createDeferredWrites({ run }: Connection, mergeStatements: MergeStatements): DeferredWrites {
  let waiting: BufferedWrite[] = [];
  let accesses = new Map<TableName, Access[]>();
  let bytes = 0;
  let sent: Promise<unknown> = Promise.resolve();

  const send = (): Promise<unknown> => {
    if (waiting.length === 0) return sent;
    const statements = mergeStatements.ofGroup(waiting);
    waiting = [];
    accesses = new Map();
    bytes = 0;
    sent = Promise.all([sent, ...statements.map(({ statement }) => run(statement))]);
    // The next sender learns of a failure, at the latest at the group's end.
    sent.catch(() => undefined);
    return sent;
  };

  return {
    add(writes) {
      for (const write of writes) {
        waiting.push(write);
        bytes += sizeOf(write);
        const access = accessOf(write);
        if (access === undefined) continue;
        const alike = accesses.get(access.table);
        if (alike === undefined) accesses.set(access.table, [access]);
        else if (alike.length < MAX_COMPARED) alike.push(access);
        // Beyond that, any statement on the table is taken to depend on them.
        else accesses.set(access.table, [{ table: access.table, does: "changes" }]);
      }
      if (bytes > MAX_WAITING_BYTES) void send();
    },
    matterTo: (access) =>
      waiting.length > 0 &&
      (access === undefined ||
        (accesses.get(access.table) ?? []).some((each) => !areIndependent(each, access))),
    send,
  };
}

/** Returns the access of a write to a table of core; undefined if there is none. */
export function accessOf(write: BufferedWrite): Access | undefined {
  if ("append" in write) return write.append.access;
  return "statement" in write ? write.statement.access : undefined;
}

/** About how many bytes a write has. */
function sizeOf(write: BufferedWrite): number {
  if ("append" in write) return parametersSize(write.append.parameters);
  if ("statement" in write) return parametersSize(write.statement.parameters);
  if ("unindex" in write) return ROW_BYTES;
  return ROW_BYTES + charactersOf(write.index);
}

const parametersSize = (parameters: readonly unknown[]): number =>
  parameters.reduce(
    (sum: number, value) =>
      sum + (typeof value === "string" || value instanceof Uint8Array ? value.length : 0),
    ROW_BYTES,
  );
