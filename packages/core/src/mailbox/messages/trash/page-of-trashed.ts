import type { Services } from "../../../kernel/context.ts";
import { pageOf } from "../../../kernel/page.ts";
import type { MessageBodyRecord, MessageRecord } from "../../../model/messages.ts";
import type { TrashRecord } from "../../../model/trash.ts";
import { type MessageFilter, matchesFilter } from "../list.ts";
import { showMessage, showSummary, truncateBodies } from "../show.ts";
import { listTrash, withTrashFields } from "./find-trash.ts";

/** A page of an inbox's messages in the trash that match the filter. */
export async function pageOfTrashed(
  { storage, options }: Pick<Services, "storage" | "options">,
  filter: MessageFilter,
  { limit, cursor, view }: { limit: number; cursor: string | undefined; view: "full" | "summary" },
) {
  const keep = ({ record }: TrashRecord) => matchesFilter(record as MessageRecord, filter);
  const scope = { inbox_id: filter.inbox_id };
  const page = await pageOf<TrashRecord>({
    filter: { list: "messages.trash", ...filter },
    limit,
    cursor,
    read: (after, count) => listTrash(storage, scope, "msg", { order: filter.order, keep }, after, count),
    position: ({ id }) => id,
  });
  const shown = page.data.map((trashed) => {
    const message = trashed.record as MessageRecord;
    const whole =
      view === "summary"
        ? showSummary(message, options)
        : showMessage(message, trashed.body as MessageBodyRecord, options);
    return withTrashFields(truncateBodies(whole) as ReturnType<typeof showMessage>, trashed);
  });
  return { ...page, data: shown };
}
