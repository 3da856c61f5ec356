import type { Thread } from "@letterslot/client";
import { Paperclip, Search } from "lucide-preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAct, usePages } from "../../api/queries.ts";
import { breakable } from "../../ui/address.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { useKeys } from "../../ui/keys.ts";
import { Sheet } from "../../ui/layout.tsx";
import { shown, written } from "../../ui/shown.ts";
import { MorePages, When } from "../../ui/small.tsx";
import { Answer, Empty } from "../../ui/states.tsx";
import { say } from "../../ui/toasts.tsx";
import { number, words } from "../../words/index.ts";
import { addressOf, FOLDERS, labelled, type Place } from "./place.ts";
import { TrashList } from "./trash-list.tsx";

const text = words.mail;
const SEARCH_AFTER_MS = 300;
/** So many before the last one that came, the next are asked for. */
const LOAD_AHEAD = 10;

/** The threads of a folder, or those that a search found. */
export function ThreadList({ place, name, own }: { place: Place; name: string; own: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (place.thread_id === null) document.title = `${name} · ${words.product}`;
  }, [name, place.thread_id]);
  return (
    <div class="grid gap-3">
      <div class="flex items-start justify-between gap-3">
        <h1
          ref={heading}
          tabIndex={-1}
          class="line-clamp-2 min-w-0 pt-1 text-xl leading-tight font-semibold outline-none"
        >
          {breakable(name) || words.loading}
        </h1>
        <ButtonLink small href={`#/inboxes/${place.inbox_id}/agent`}>
          {words.agent.title}
        </ButtonLink>
      </div>
      <SearchField place={place} />
      {place.query === "" && <Folders place={place} />}
      {place.folder === "trash" && place.query === "" ? (
        <TrashList place={place} />
      ) : (
        <Threads place={place} own={own} />
      )}
    </div>
  );
}

/** Searches as one types; the words stand in the address, so that what was found can be shared. */
function SearchField({ place }: { place: Place }) {
  const [typed, setTyped] = useState(place.query);
  const [, navigate] = useLocation();
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  // The address may change from elsewhere: then it says what is searched for.
  useEffect(() => setTyped(place.query), [place.query]);
  useEffect(() => () => clearTimeout(timer.current), [place.inbox_id, place.thread_id]);
  const search = (query: string) => {
    setTyped(query);
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => navigate(addressOf({ ...place, query, thread_id: null }), { replace: true }),
      SEARCH_AFTER_MS,
    );
  };
  useKeys({ "/": () => field.current?.focus() });
  return (
    <div class="grid gap-1">
      <label class="input min-h-11 w-full border-soft bg-sheet">
        <Search size={18} class="text-soft" aria-hidden="true" />
        <span class="sr-only">{text.search}</span>
        <input
          ref={field}
          type="search"
          value={typed}
          placeholder={text.search}
          onInput={(event) => search(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
      </label>
      {typed !== "" && <p class="text-xs text-soft">{text.searchHint}</p>}
    </div>
  );
}

function Folders({ place }: { place: Place }) {
  return (
    <nav aria-label={text.folders} class="-mx-4 overflow-x-auto px-4 lg:mx-0 lg:px-0">
      <ul class="flex min-w-max gap-0.5">
        {FOLDERS.map((folder) => (
          <li key={folder}>
            <Link
              href={addressOf({ ...place, folder, thread_id: null })}
              aria-current={place.folder === folder ? "page" : undefined}
              class={`inline-flex min-h-9 items-center rounded-full px-2.5 text-sm font-semibold no-underline ${place.folder === folder ? "bg-accent text-on-accent" : "text-soft hover:text-ink"}`}
            >
              {text.folderNames[folder]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Threads({ place, own }: { place: Place; own: string }) {
  const { inbox_id, folder, query } = place;
  const { caller } = useCaller();
  const [, navigate] = useLocation();
  const threads = usePages<Thread>(["threads", inbox_id, folder, query], async (client, cursor) => {
    const page = { inbox_id, limit: 30, ...(cursor === undefined ? {} : { cursor }) };
    if (query !== "") {
      const found = await client.threads.search({ ...page, q: query });
      return { ...found, data: found.data.map(({ thread }) => thread) };
    }
    if (folder === "unread") return client.threads.list({ ...page, unread: true });
    return client.threads.list({ ...page, folder: folder as "inbox" | "archive" | "spam" });
  });
  const { items } = threads;
  const nothing = query === "" ? text.empty[folder as keyof typeof text.empty] : text.nothingFound;
  const at = items.findIndex(({ id }) => id === place.thread_id);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = threads;
  useEffect(() => {
    // Who goes through by keys doesn't see the list's end, which asks for more.
    if (at >= items.length - LOAD_AHEAD && at >= 0 && hasNextPage && !isFetchingNextPage)
      void fetchNextPage();
  }, [at, items.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const open = (index: number) => {
    const thread = items[Math.max(0, Math.min(items.length - 1, index))];
    // However many were gone through, one step back leads to the list.
    const replace = place.thread_id !== null;
    if (thread !== undefined) navigate(addressOf({ ...place, thread_id: thread.id }), { replace });
  };
  const move = useAct(
    (client, { id, to }: { id: string; to: "archive" | "inbox" }) =>
      client.threads.move({ inbox_id, thread_ids: [id], folder: to }),
    ["threads"],
  );
  const archive = async () => {
    const thread = items[at];
    if (
      move.isPending ||
      thread === undefined ||
      thread.folder === "archive" ||
      !may(caller, "thread_update")
    )
      return;
    await move.mutateAsync({ id: thread.id, to: "archive" });
    say(text.archived, () => move.mutateAsync({ id: thread.id, to: "inbox" }));
    if (items.length > 1) open(at + 1);
  };
  useKeys({
    // Beside an open conversation they open the next one.
    j: place.thread_id === null ? undefined : () => open(at + 1),
    k: place.thread_id === null ? undefined : () => open(at - 1),
    e: () => void archive().catch(say),
  });
  return (
    <Answer of={threads} rows={6}>
      {() =>
        items.length === 0 ? (
          <Empty title={nothing.title}>{nothing.text}</Empty>
        ) : (
          <>
            <Sheet flush>
              <ul class="divide-y divide-line" aria-label={text.threads} data-rows>
                {items.map((thread) => (
                  <ThreadRow
                    key={thread.id}
                    thread={thread}
                    href={addressOf({ ...place, thread_id: thread.id })}
                    current={thread.id === place.thread_id}
                    own={own}
                  />
                ))}
              </ul>
            </Sheet>
            <MorePages of={threads} />
            <p class="hidden text-xs text-soft lg:block">{text.keys}</p>
          </>
        )
      }
    </Answer>
  );
}

function ThreadRow({
  thread,
  href,
  current,
  own,
}: {
  thread: Thread;
  href: string;
  current: boolean;
  own: string;
}) {
  const {
    subject,
    preview,
    participants,
    unread_count,
    message_count,
    attachment_count,
    labels,
    updated_at,
  } = thread;
  const unread = unread_count > 0;
  const others = participants.filter(({ address }) => address !== own);
  const people = (others.length === 0 ? participants : others)
    .map(({ name, address }) => name ?? address)
    .join(", ");
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (current) row.current?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <li ref={row} class={current ? "bg-paper shadow-[inset_3px_0_0_var(--accent)]" : "hover:bg-paper"}>
      <Link
        href={href}
        aria-current={current ? "true" : undefined}
        class="grid grid-cols-[minmax(0,1fr)] gap-0.5 px-4 py-3 text-ink no-underline focus-visible:-outline-offset-3"
      >
        <span class="flex items-baseline gap-2">
          <span class={`min-w-0 grow truncate ${unread ? "font-semibold" : ""}`}>
            {unread && <span class="mr-1.5 inline-block size-2 rounded-full bg-accent" title={text.unread} />}
            {shown(people)}
          </span>
          {message_count > 1 && <span class="text-xs text-soft">{number(message_count)}</span>}
          <span class="shrink-0 text-xs text-soft">
            <When at={updated_at} />
          </span>
        </span>
        <span class={`truncate text-sm ${unread ? "font-semibold" : ""}`}>
          {shown(subject) || words.noSubject}
        </span>
        <span class="flex items-center gap-1.5 text-sm text-soft">
          <span class="min-w-0 grow truncate">{written(preview)}</span>
          {attachment_count > 0 && <Paperclip size={14} aria-label={text.attachments} />}
        </span>
      </Link>
      {labels.length > 0 && (
        <span class="flex flex-wrap gap-x-1 px-4 pb-1.5">
          {labels.map((label) => (
            <Link
              key={label}
              href={labelled(thread.inbox_id, label)}
              class="-mt-1.5 inline-flex min-h-9 max-w-full items-center no-underline hover:underline"
            >
              <span class="sr-only">{text.allWithLabel} </span>
              <Chip>{label}</Chip>
            </Link>
          ))}
        </span>
      )}
    </li>
  );
}
