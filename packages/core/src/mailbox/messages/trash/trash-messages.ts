import type { AccountContext } from "../../../kernel/context.ts";
import type { Work } from "../../../kernel/work.ts";
import { iso } from "../../../model/fields.ts";
import type { DeliveryEvent } from "../../../model/message-facts.ts";
import type { MessageRecord } from "../../../model/messages.ts";
import type { TaskRecord } from "../../../model/tasks.ts";
import type { ThreadRecord } from "../../../model/threads.ts";
import type { TrashRecord } from "../../../model/trash.ts";
import { endWorkOn, removeRecords } from "../delete.ts";
import { attentionOf } from "../rules.ts";
import { bodiesOf } from "../show.ts";
import { publishFolder } from "../threading/folder.ts";
import { recountThread } from "../threading/recount-thread.ts";
import { deletedBy, restorableUntil } from "./rules.ts";

/** The caller who deletes, and the time. */
export type Trashing = Pick<AccountContext, "caller" | "now" | "options">;

/** The fields that every record in the trash takes from the call that deleted it. */
export const trashedBy = ({ caller, now, options }: Trashing) => ({
  deleted_by: deletedBy(caller),
  trashed_at: iso(now),
  restorable_until: restorableUntil(now, options.trashDays),
});

/**
 * Moves messages of one thread to the trash, with the tasks that they made. What was waiting to be sent is not sent. A
 * thread that loses its last message goes there too, as it was in `thread`; `whole`: the messages go with it, and come
 * back with it. Returns until when they can be restored, and whether the thread went.
 */
export async function trashMessages(
  work: Work,
  call: Trashing,
  thread: ThreadRecord,
  messages: readonly MessageRecord[],
  { whole }: { whole: boolean },
): Promise<{ restorable_until: string; emptied: boolean }> {
  const ids = messages.map(({ id }) => id);
  const bodies = await bodiesOf(work, messages);
  const tasks = await work.find("tasks", { where: { message_id: { in: ids } }, limit: ids.length });
  await removeRecords(work, messages);
  await endWorkOn(work, ids);
  const emptied = !(await recountThread(work, thread.id, { removed: messages }, call.now));
  const by = trashedBy(call);
  work.append(
    "trash",
    messages.map((message) => ({
      ...{ id: message.id, account_id: message.account_id, inbox_id: message.inbox_id, thread_id: thread.id },
      ...by,
      group_id: whole || emptied ? thread.id : null,
      size_bytes: message.size_bytes,
      record: unsent(message),
      body: bodies.get(message.id) ?? null,
      tasks: tasks.filter(({ message_id }) => message_id === message.id).map(unclaimed),
    })),
  );
  if (emptied) {
    work.append("trash", [trashedThread(thread, by)]);
    publishFolder(work, thread, "trash");
  }
  return { restorable_until: by.restorable_until, emptied };
}

const trashedThread = (thread: ThreadRecord, by: ReturnType<typeof trashedBy>): TrashRecord => ({
  ...{ id: thread.id, account_id: thread.account_id, inbox_id: thread.inbox_id, thread_id: thread.id },
  ...by,
  ...{ group_id: null, size_bytes: 0, record: thread, body: null, tasks: [] },
});

/** Notes on a message in the trash that it left after all: its send was under way when it was deleted. */
export async function noteSentInTrash(
  work: Work,
  id: string,
  { provider, happened }: { provider: string; happened: readonly DeliveryEvent[] },
): Promise<void> {
  const trashed = await work.get("trash", id);
  if (trashed === undefined) return;
  const message = trashed.record as MessageRecord;
  const delivery_events = [...message.delivery_events, ...happened];
  const sent: MessageRecord = { ...message, status: "sent", provider, delivery_events };
  await work.update("trash", { id }, { record: { ...sent, attention: attentionOf(sent) } });
}

/** A message whose send ends with its deletion, also where it is restored. */
function unsent(message: MessageRecord): MessageRecord {
  if (message.status !== "queued") return message;
  const failed: MessageRecord = { ...message, status: "failed" };
  return { ...failed, attention: attentionOf(failed) };
}

/** A task that no worker holds or can report on. */
const unclaimed = (task: TaskRecord): TaskRecord => ({
  ...task,
  ...(task.claim === null ? {} : { status: "pending" as const, claim: null }),
  claim_token: null,
});
