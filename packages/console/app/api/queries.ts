import type { Client, LetterslotApiError, LetterslotEvent, Page } from "@letterslot/client";
import {
  QueryClient as Queries,
  QueryCache,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/preact-query";
import { useEffect } from "preact/hooks";
import { client } from "./caller.ts";

/** What is asked for: the record's kind first (`messages`, `approvals`, …), by which events make it stale. */
export type QueryKey = readonly [
  kind: string,
  ...rest: (string | number | boolean | object | null | undefined)[],
];

export const queries: QueryClient = new Queries({
  queryCache: new QueryCache({
    onError(error, { queryKey }) {
      // The session or key may have ended: whoever looks is asked for anew.
      if ((error as LetterslotApiError).status === 401 && queryKey[0] !== "caller")
        void queries.invalidateQueries({ queryKey: ["caller"] });
    },
  }),
  defaultOptions: { queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: true } },
});

/** An answer of the service, kept until an event makes it stale. */
export function useAnswer<T>(
  key: QueryKey,
  ask: (client: Client) => Promise<T>,
  enabled = true,
  fresh_ms?: number,
) {
  return useQuery<T, LetterslotApiError>({
    queryKey: key,
    queryFn: () => ask(client),
    enabled,
    // What ends at a time is asked for anew before that.
    ...(fresh_ms === undefined ? {} : { staleTime: fresh_ms, gcTime: fresh_ms }),
  });
}

/** A list of the service, page by page: `items` are those that came so far. */
export function usePages<T>(
  key: QueryKey,
  ask: (client: Client, cursor: string | undefined) => Promise<Page<T>>,
  enabled = true,
) {
  const query = useInfiniteQuery<
    Page<T>,
    LetterslotApiError,
    { pages: Page<T>[] },
    QueryKey,
    string | undefined
  >({
    queryKey: key,
    queryFn: ({ pageParam }) => ask(client, pageParam),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    enabled,
  });
  return { ...query, items: query.data?.pages.flatMap((page) => page.data) ?? [] };
}

/** An act: afterwards everything of the kinds `changes` is asked for anew. */
export function useAct<I, T>(act: (client: Client, input: I) => Promise<T>, changes: readonly string[]) {
  const store = useQueryClient();
  return useMutation<T, LetterslotApiError, I>({
    mutationFn: (input) => act(client, input),
    onSuccess: () => refresh(store, changes),
  });
}

/** Asks anew for what is on the screen of these kinds. */
export async function refresh(store: QueryClient, kinds: readonly string[]): Promise<void> {
  await askAnew(store, [...kinds, "overview"]);
}

async function askAnew(store: QueryClient, kinds: readonly string[]): Promise<void> {
  await Promise.all(kinds.map((kind) => store.invalidateQueries({ queryKey: [kind] })));
}

/** The kinds of answers that an event makes stale, by the first word of its type. */
const STALE: Readonly<Record<string, readonly string[]>> = {
  // Updates have no event of their own: their letters do.
  message: ["messages", "threads", "inboxes", "updates"],
  thread: ["threads", "messages"],
  task: ["tasks"],
  draft: ["drafts"],
  approval: ["approvals", "drafts"],
  update: ["updates"],
  question: ["updates"],
  owner: ["owners", "updates", "pairings", "inboxes"],
  webhook: ["webhooks"],
  domain: ["domains"],
  inbox: ["inboxes"],
  expectation: ["expectations"],
  forwarding: ["forwarding"],
  rule: ["rules"],
};

/** Events that come in one burst are one refresh. */
const BURST_MS = 150;
/** The overview concerns every event and asks for much, so events refresh it no more often than this. */
const OVERVIEW_MS = 2_000;

const FOLLOW_AFTER_MS = 500;
/** The stream itself connects anew; it ends where its first connection fails. Each pause is twice the one before. */
const FOLLOW_AGAIN_MS = { first: 1_000, longest: 30_000 };

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Follows the account's events: what they concern is asked for anew, within a second. Ends with the component. */
export function useLiveEvents(enabled: boolean, onEvent: (event: LetterslotEvent) => void): void {
  const store = useQueryClient();
  useEffect(() => {
    if (!enabled) return;
    const ending = new AbortController();
    const stale = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refreshStale = async () => {
      const kinds = [...stale];
      stale.clear();
      // The next refresh waits for this one: answers that are asked for again before they come never come.
      await askAnew(store, kinds);
      timer = stale.size > 0 ? setTimeout(() => void refreshStale(), BURST_MS) : undefined;
    };
    let overview_timer: ReturnType<typeof setTimeout> | undefined;
    let overview_at = Number.NEGATIVE_INFINITY;
    const refreshOverview = () => {
      overview_timer = undefined;
      overview_at = performance.now();
      void askAnew(store, ["overview"]);
    };
    const note = (kinds: readonly string[]) => {
      for (const kind of kinds) stale.add(kind);
      timer ??= setTimeout(() => void refreshStale(), BURST_MS);
      const overview_due = overview_at + OVERVIEW_MS - performance.now();
      overview_timer ??= setTimeout(refreshOverview, Math.max(BURST_MS, overview_due));
    };
    let again_ms = FOLLOW_AGAIN_MS.first;
    const follow = async () => {
      let caught_up = false;
      const onOpen = () => {
        again_ms = FOLLOW_AGAIN_MS.first;
        // What came while nobody followed is asked for once.
        if (!caught_up) note(Object.values(STALE).flat());
        caught_up = true;
      };
      const onLost = () => (caught_up = false);
      for await (const event of client.events.stream({}, { signal: ending.signal, onOpen, onLost })) {
        onEvent(event);
        note(STALE[event.type.split(".")[0] ?? ""] ?? []);
      }
    };
    void (async () => {
      // First what is seen, then what follows.
      await pause(FOLLOW_AFTER_MS);
      while (!ending.signal.aborted) {
        // Whatever ended it, such as a server that restarts, it is tried again.
        await follow().catch(() => undefined);
        await pause(again_ms);
        again_ms = Math.min(2 * again_ms, FOLLOW_AGAIN_MS.longest);
      }
    })();
    return () => {
      ending.abort();
      clearTimeout(timer);
      clearTimeout(overview_timer);
    };
  }, [enabled, store, onEvent]);
}
