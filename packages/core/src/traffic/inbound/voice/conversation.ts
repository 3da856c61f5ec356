import { authoritiesOver } from "../../../kernel/access/authority.ts";
import type { Services } from "../../../kernel/context.ts";
import { notFound } from "../../../kernel/gate.ts";
import type { Work } from "../../../kernel/work.ts";
import { addressKey } from "../../../model/address.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import type { MessageRecord } from "../../../model/messages.ts";
import { addressToOwner, type OwnerRecord } from "../../../model/owners.ts";
import type { TaskRecord } from "../../../model/tasks.ts";
import type { ThreadRecord } from "../../../model/threads.ts";
import type { StorageReader } from "../../../ports/storage.ts";
import { mayAddTo, mayWrite } from "./rules.ts";

/** A person who may write to the agent of an inbox. */
export interface Writer {
  /** In its canonical form. */
  email: string;
  /** As it is shown and answered. */
  address: string;
  /** Null for somebody with authority alone, who gets no updates. */
  owner: OwnerRecord | undefined;
  authority: boolean;
}

/** A person as a verified owner of an inbox, or somebody with authority over it. Fails with `inbox_not_found`. */
export async function writerTo(
  services: Pick<Services, "storage" | "options">,
  inbox: InboxRecord | undefined,
  { email, inbox_id }: { email: string; inbox_id: string },
): Promise<Writer & { inbox: InboxRecord }> {
  const { storage } = services;
  const account_id = inbox?.account_id ?? "";
  // An inbox that doesn't exist takes the same reads, so that timing tells nothing.
  const [owners, authorities] = await Promise.all([
    storage.find("owners", { where: { inbox_id, email }, limit: 1 }),
    authoritiesOver(services, storage, { account_id, inbox_id }),
  ]);
  const owner = owners.find(({ status }) => status === "verified");
  const authority = authorities.some((each) => each.email === email);
  if (inbox === undefined || !mayWrite({ owner: owner !== undefined, authority }))
    throw notFound("inbox_not_found", "inb", inbox_id);
  return { email, address: owner === undefined ? email : addressToOwner(owner), owner, authority, inbox };
}

/**
 * The thread that a person adds to: that of the updates with this `task_id` which they were mailed, else that of the
 * task with this id. Undefined when it is gone. Fails with `task_not_found`.
 */
export async function findConversation(
  reader: Pick<StorageReader, "find" | "get">,
  { id: inbox_id }: Pick<InboxRecord, "id">,
  { email, owner, authority }: Writer,
  task_id: string,
): Promise<ThreadRecord | undefined> {
  const [mailed] =
    owner === undefined
      ? []
      : await reader.find("update_threads", { where: { inbox_id, task_id, owner_id: owner.id }, limit: 1 });
  if (mailed !== undefined) return reader.get("threads", mailed.thread_id);
  const task = await reader.get("tasks", task_id);
  const gave_it = task?.sender != null && addressKey(task.sender) === email;
  if (task?.inbox_id !== inbox_id || !mayAddTo({ owner: owner !== undefined, authority }, gave_it))
    throw notFound("task_not_found", "tsk", task_id);
  return task.thread_id === null ? undefined : reader.get("threads", task.thread_id);
}

/** Updates that name the new task are mailed to its owner in this conversation. */
export async function keepConversation(
  work: Work,
  { owner }: Writer,
  { task, message }: { task: TaskRecord; message: MessageRecord },
): Promise<void> {
  if (owner === undefined) return;
  const { inbox_id, thread_id, subject, id: last_message_id } = message;
  const row = { inbox_id, task_id: task.id, owner_id: owner.id, thread_id, last_message_id, subject };
  work.append("update_threads", [row]);
}
