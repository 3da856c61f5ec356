import { useAnswer } from "../../api/queries.ts";
import { ListBeside } from "../../ui/list-beside.tsx";
import { Empty } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";
import { placeIn } from "./place.ts";
import { Thread } from "./thread.tsx";
import { ThreadList } from "./thread-list.tsx";

/** An inbox's mail, as in a mail program: its threads, and beside them the one that is read. */
export function Mail({ inbox_id, rest }: { inbox_id: string; rest: string }) {
  const place = placeIn(inbox_id, rest);
  const inbox = useAnswer(["inboxes", inbox_id], (client) => client.inboxes.get({ inbox_id }));
  const name = inbox.data?.display_name ?? inbox.data?.email ?? (inbox.error === null ? "" : words.failed);
  return (
    <ListBeside
      reads={place.thread_id !== null}
      list={<ThreadList place={place} name={name} own={inbox.data?.email ?? ""} />}
    >
      {place.thread_id === null ? (
        <div class="pt-24">
          <Empty title={words.mail.choose.title}>{words.mail.choose.text}</Empty>
        </div>
      ) : (
        <Thread key={place.thread_id} place={place} thread_id={place.thread_id} />
      )}
    </ListBeside>
  );
}
