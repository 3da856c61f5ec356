import { idFloor } from "../../../catalogue/ids.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import type { Work } from "../../../kernel/work.ts";
import { iso } from "../../../model/fields.ts";
import type { MessageRecord } from "../../../model/messages.ts";
import type { ThreadRecord } from "../../../model/threads.ts";

const HOUR_MS = 3600_000;

/**
 * Stops a thread in which automatic senders exchanged more than 20 messages within an hour, with none from a
 * human. Sends in it then fail with `loop_stopped` until a human writes.
 */
export async function stopLoop(
  work: Work,
  thread: ThreadRecord,
  message: MessageRecord,
  now: Date,
  sender: { internal: boolean; strong: string | null; weak: string | null },
): Promise<void> {
  const automatic = sender.internal || sender.strong !== null || sender.weak !== null;
  if (!automatic || thread.loop_stopped_at !== null || thread.message_count <= LIMITS.loop_messages_per_hour)
    return;
  const hourAgo = idFloor("msg", new Date(now.getTime() - HOUR_MS));
  const since =
    thread.last_human_message_id !== null && thread.last_human_message_id > hourAgo
      ? thread.last_human_message_id
      : hourAgo;
  const count = await work.count(
    "messages",
    { thread_id: thread.id, id: { gt: since } },
    LIMITS.loop_messages_per_hour + 1,
  );
  if (count <= LIMITS.loop_messages_per_hour) return;
  const stopped = await work.update(
    "threads",
    { id: thread.id, loop_stopped_at: null },
    { loop_stopped_at: iso(now) },
  );
  if (stopped.length === 0) return;
  work.publish({
    type: "thread.loop_stopped",
    inbox_id: thread.inbox_id,
    data: { thread_id: thread.id, message_id: message.id, messages_in_last_hour: count },
  });
}
