import type { MessageSummary, Thread } from "@letterslot/client";
import { may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAct, usePages } from "../../api/queries.ts";
import { ActButton } from "../../ui/act.tsx";
import { ConfirmButton } from "../../ui/dialog.tsx";
import { Rows } from "../../ui/layout.tsx";
import { shown } from "../../ui/shown.ts";
import { MorePages, When } from "../../ui/small.tsx";
import { Answer, Empty } from "../../ui/states.tsx";
import { say } from "../../ui/toasts.tsx";
import { words } from "../../words/index.ts";
import type { Place } from "./place.ts";

const text = words.mail.trash;

type Trashed = (Thread | MessageSummary) & {
  restorable_until?: string | undefined;
  deleted_by?: MessageSummary["deleted_by"];
};

/** What was deleted and can be restored: by whom, and until when. */
export function TrashList({ place: { inbox_id } }: { place: Place }) {
  const threads = usePages(["threads", inbox_id, "trash"], (client, cursor) =>
    client.threads.list({
      inbox_id,
      folder: "trash",
      limit: 30,
      ...(cursor === undefined ? {} : { cursor }),
    }),
  );
  const messages = usePages(["messages", inbox_id, "trash"], (client, cursor) =>
    client.messages.list({
      inbox_id,
      folder: "trash",
      limit: 30,
      ...(cursor === undefined ? {} : { cursor }),
    }),
  );
  return (
    <Answer of={threads}>
      {() => (
        <Answer of={messages}>
          {() => {
            const gone = new Set(threads.items.map(({ id }) => id));
            const single = messages.items.filter(({ thread_id }) => !gone.has(thread_id));
            return threads.items.length + single.length === 0 ? (
              <Empty title={text.empty.title}>{text.empty.text}</Empty>
            ) : (
              <>
                <Rows label={text.title}>
                  {[...threads.items, ...single].map((item) => (
                    <TrashedRow key={item.id} item={item} />
                  ))}
                </Rows>
                <MorePages of={threads} />
                <MorePages of={messages} />
              </>
            );
          }}
        </Answer>
      )}
    </Answer>
  );
}

function TrashedRow({ item }: { item: Trashed }) {
  const { caller } = useCaller();
  const { inbox_id, id, subject, restorable_until, deleted_by } = item;
  const isThread = item.object === "thread";
  const restore = useAct(
    (client): Promise<unknown> =>
      isThread
        ? client.threads.restore({ inbox_id, thread_id: id })
        : client.messages.restore({ inbox_id, message_id: id }),
    ["threads", "messages", "tasks"],
  );
  const remove = useAct(
    (client): Promise<unknown> =>
      isThread
        ? client.threads.delete({ inbox_id, thread_id: id, permanent: true })
        : client.messages.delete({ inbox_id, message_id: id, permanent: true }),
    ["threads", "messages"],
  );
  const title = shown(subject) || words.noSubject;
  return (
    <li class="grid gap-2 px-4 py-3">
      <div class="min-w-0">
        <p class="truncate font-medium">{title}</p>
        <p class="text-sm text-soft">
          {whoDeleted(deleted_by)}
          {restorable_until !== undefined && (
            <>
              {" · "}
              {text.until} <When at={restorable_until} form="relative" />
            </>
          )}
        </p>
      </div>
      <div class="flex flex-wrap gap-2">
        {may(caller, "message_update") && (
          <ActButton act={() => restore.mutateAsync(undefined).then(() => say(text.restored))}>
            {text.restore}
          </ActButton>
        )}
        {may(caller, "message_delete") && (
          <ConfirmButton
            label={text.forGood}
            question={text.forGoodQuestion(title)}
            detail={text.forGoodDetail}
            act={() => remove.mutateAsync(undefined)}
          />
        )}
      </div>
    </li>
  );
}

function whoDeleted(by: Trashed["deleted_by"]): string {
  if (by === undefined) return text.deleted;
  if (by.type === "owner") return text.deletedBy(by.email ?? "");
  return by.type === "app" ? text.deletedByApp(by.client_id ?? "") : text.deletedByAgent;
}
