import type { ErrorCode } from "../../catalogue/errors.ts";
import { isId } from "../../catalogue/ids.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { type AccountCaller, callerId } from "../../kernel/access/caller.ts";
import type { Services } from "../../kernel/context.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { iso } from "../../model/fields.ts";
import type { RefusalRecord, RefusalSource } from "../../model/refusals.ts";
import { isKept, keptParam, minuteOf } from "./rules.ts";

/** A call that was refused, as the edge that answered it saw it. */
export interface RefusedCall {
  caller: AccountCaller;
  operation: string;
  /** The names of the operation's fields: an error's param is kept only if it is one of them. */
  fields: readonly string[];
  error: { status: number; type: string; code: ErrorCode; param: string | undefined };
  /** The inbox that the path named, whatever it is. */
  inbox_id: string | undefined;
  source: RefusalSource;
  request_id: string;
}

/** Keeps refused calls, in the background: no call waits for it. */
export interface Refusals {
  /** Notes a call; false when it isn't kept because too many wait to be written. */
  note(call: RefusedCall): boolean;
  /** Writes what waits. */
  write(): Promise<void>;
}

type Own = Pick<Services, "storage" | "clock" | "makeId" | "log">;

/** Refusals that come before the inbox is looked up, or because it isn't there. */
const UNSEEN_INBOX: readonly ErrorCode[] = ["inbox_not_found", "owner_only", "key_only"];

/** Notes refused calls in memory and writes them a second later, equal ones of a minute as one record. */
export function createRefusals({ storage, clock, makeId, log }: Own): Refusals {
  let waiting = new Map<string, RefusalRecord>();
  let due = false;
  let writing: Promise<void> = Promise.resolve();

  const store = async (refusal: RefusalRecord): Promise<void> => {
    const { inserted } = await storage.insert("refusals", refusal);
    if (inserted) return;
    const { minute, count, last_at } = refusal;
    await storage.update("refusals", { minute }, { count: { add: count }, last_at });
  };
  const writeAll = async (): Promise<void> => {
    due = false;
    const noted = waiting;
    waiting = new Map();
    for (const refusal of noted.values())
      await store(refusal).catch((error: unknown) => log.warn({ error }, "a refusal was not written"));
  };
  const write = (): Promise<void> => (writing = writing.then(writeAll));

  return {
    note({ caller, operation, fields, error, inbox_id, source, request_id }) {
      if (!isKept(error.status) || caller.type === "owner") return true;
      const at = iso(clock.now());
      const caller_id = callerId(caller);
      const { status, type, code } = error;
      // An inbox that isn't there, or that nobody looked up, is left out: the path may say anything.
      const named = inbox_id !== undefined && isId("inb", inbox_id) && !UNSEEN_INBOX.includes(code);
      const own = named ? inbox_id : null;
      const minute = hashSecret(minuteOf({ caller_id, operation, code, inbox_id: own, at }));
      const known = waiting.get(minute);
      if (known !== undefined) {
        known.count += 1;
        known.last_at = at;
        return true;
      }
      if (waiting.size >= LIMITS.refusals_waiting) return false;
      waiting.set(minute, {
        id: makeId("ref"),
        account_id: caller.account_id,
        caller_id,
        minute,
        first_at: at,
        last_at: at,
        operation,
        status,
        code,
        error: { type, code, param: keptParam(error.param, fields) },
        key_id: caller.type === "key" ? caller.key.id : null,
        client_id: caller.type === "app" ? caller.client_id : null,
        inbox_id: own,
        source,
        count: 1,
        request_id,
      });
      if (!due) {
        due = true;
        clock.after(LIMITS.refusals_written_ms, () => void write());
      }
      return true;
    },
    write,
  };
}
