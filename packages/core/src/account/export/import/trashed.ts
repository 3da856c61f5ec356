import { z } from "zod";
import { isId } from "../../../catalogue/ids.ts";
import type { AnyRecord } from "../../../model/belonging.ts";
import { DraftRecord } from "../../../model/drafts.ts";
import { MessageBodyRecord, MessageRecord } from "../../../model/messages.ts";
import { ThreadRecord } from "../../../model/threads.ts";
import { TrashRecord } from "../../../model/trash.ts";
import { exportedKind } from "../exported-kinds.ts";
import { fillerOf } from "./absent-fields.ts";

const KINDS = {
  msg: { table: "messages", record: MessageRecord, body: MessageBodyRecord.strict() },
  thr: { table: "threads", record: ThreadRecord, body: z.null() },
  dft: { table: "drafts", record: DraftRecord, body: z.null() },
} as const;
type Kind = keyof typeof KINDS;

const PREFIXES = Object.keys(KINDS) as Kind[];

/** The kind of a record in the trash, by its id; undefined where it is none. */
const kindOf = (id: unknown): Kind | undefined =>
  PREFIXES.find((prefix) => typeof id === "string" && isId(prefix, id));

const shapeOf = (kind: Kind) =>
  TrashRecord.strict().extend({
    id: z.string().refine((id) => kindOf(id) === kind),
    record: KINDS[kind].record.strict(),
    body: KINDS[kind].body,
  });

/** A record of the trash, whose message, thread or draft is as its own table would have it. */
export const TrashedRecord = z.union([shapeOf("msg"), shapeOf("thr"), shapeOf("dft")]);

/** Adds the fields that came after the export to a record of the trash, and to what it holds. */
export function fillTrashed(trashed: unknown): unknown {
  const { id, record, body = null } = (trashed ?? {}) as AnyRecord;
  const kind = kindOf(id);
  if (kind === undefined || typeof record !== "object" || record === null) return trashed;
  const { added } = exportedKind(KINDS[kind].table);
  const filled = fillerOf(KINDS[kind].record)({ ...added, ...record });
  const whole = { ...(trashed as AnyRecord), record: filled, body: fillerOf(KINDS[kind].body)(body) };
  return fillerOf(TrashRecord)(whole);
}
