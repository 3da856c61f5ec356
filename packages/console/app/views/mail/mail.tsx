import { useAnswer } from "../../api/queries.ts";
import { TabLinks } from "../../ui/small.tsx";
import { words } from "../../words/index.ts";
import { Thread } from "./thread.tsx";
import { ThreadList } from "./thread-list.tsx";

/** Where one is in an inbox's mail, as it stands in the address. */
export interface Place {
  inbox_id: string;
  folder: string;
  query: string;
  thread_id: string | null;
}

export const FOLDERS = ["inbox", "unread", "archive", "spam", "trash"] as const;

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    // Written by hand: it is taken as it stands.
    return part;
  }
};

/** `in/archive/search/WORDS/thread/ID`, each part only where it is needed. */
export function placeIn(inbox_id: string, rest: string): Place {
  const parts = rest.split("/").map(decoded);
  const after = (name: string) => (parts.includes(name) ? (parts[parts.indexOf(name) + 1] ?? "") : "");
  return {
    inbox_id,
    folder: after("in") || "inbox",
    query: after("search"),
    thread_id: after("threads") || null,
  };
}

/** The address of a place. The router decodes an address once, so that words of a person's own are encoded twice. */
export function addressOf({ inbox_id, folder, query, thread_id }: Place): string {
  const parts = [
    `/inboxes/${inbox_id}`,
    folder === "inbox" ? "" : `/in/${encodeURIComponent(folder)}`,
    query === "" ? "" : `/search/${encodeURIComponent(encodeURIComponent(query))}`,
    thread_id === null ? "" : `/threads/${encodeURIComponent(thread_id)}`,
  ];
  return parts.join("");
}

/** An inbox's mail, as in a mail program: its threads, and beside them the one that is read. */
export function Mail({ inbox_id, rest }: { inbox_id: string; rest: string }) {
  const place = placeIn(inbox_id, rest);
  const inbox = useAnswer(["inboxes", inbox_id], (client) => client.inboxes.get({ inbox_id }));
  const name = inbox.data?.display_name ?? inbox.data?.email ?? "";
  const reads = place.thread_id !== null;
  return (
    <div class="mx-auto max-w-6xl">
      <div class={reads ? "hidden lg:block" : ""}>
        <TabLinks
          label={name}
          tabs={[
            { href: `/inboxes/${inbox_id}`, name: words.mail.title, current: true },
            { href: `/inboxes/${inbox_id}/agent`, name: words.agent.title, current: false },
          ]}
        />
      </div>
      <div class="mt-4 lg:grid lg:grid-cols-[22rem_minmax(0,1fr)] lg:gap-6">
        <div class={reads ? "hidden lg:block" : ""}>
          <ThreadList place={place} name={name} own={inbox.data?.email ?? ""} />
        </div>
        <div class={reads ? "" : "hidden lg:block"}>
          {place.thread_id === null ? (
            <p class="pt-24 text-center text-soft">{words.mail.choose}</p>
          ) : (
            <Thread key={place.thread_id} place={place} thread_id={place.thread_id} />
          )}
        </div>
      </div>
    </div>
  );
}
