import { setTimeout as pause } from "node:timers/promises";
import { type Event, LIMITS } from "@letterslot/core";
import {
  ProtocolError,
  ProtocolErrorCode,
  type ServerEvent,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { parseUri } from "./resource-uris.ts";
import { failureIn } from "./tools/failure.ts";
import type { ToolCaller, ToolHost } from "./tools/host.ts";

/** The record behind a subscribed URI. */
export interface Subject {
  inbox_id: string;
  /** The message or thread; undefined: any event of the inbox. */
  id: string | undefined;
}

/** A time after all events: reading from there begins at the newest one, independently of this machine's clock. */
const FAR_FUTURE = "9999-12-31T23:59:59Z";
const RETRY_MS = 1_000;
/** The error codes for an inbox that the caller doesn't reach. */
const UNREACHED: ReadonlySet<string> = new Set(["inbox_not_found", "permission_denied"]);

/** Whether a caller may follow what happens: it reads the feed, and finds inboxes by their address. */
export const maySubscribe = ({ permissions }: Pick<ToolCaller, "permissions">): boolean =>
  permissions === null || (permissions.includes("event_read") && permissions.includes("inbox_read"));

/**
 * Resolves a URI for a caller that can read it. Undefined for immutable resources, for URIs that aren't ours, and for
 * anything that the caller doesn't reach.
 */
export async function subjectOf(host: ToolHost, uri: string): Promise<Subject | undefined> {
  const name = parseUri(uri);
  if (name === undefined || name.kind === "attachment") return undefined;
  const found = await host.call("inboxes.get", { inbox_id: name.address }).catch((error: unknown) => {
    // Hidden and missing resources must look alike to the caller; a service that is down is another matter.
    if (!UNREACHED.has(failureIn(error)?.code ?? "")) throw error;
    return undefined;
  });
  if (found === undefined) return undefined;
  return { inbox_id: (found as { id: string }).id, id: name.kind === "inbox" ? undefined : name.id };
}

/** The cursor after the newest event. */
export async function newestCursor(host: ToolHost): Promise<string> {
  const page = await host.call("events.list", { after: FAR_FUTURE, limit: 1 });
  return (page as { next_cursor: string }).next_cursor;
}

/** The subscriptions to follow: their caller and starting position. */
export interface Following {
  /** The service, as the caller has it at this moment. Fails when its access has ended. */
  open(): Promise<ToolHost>;
  /** The subscribed resources, by URI; may change meanwhile. */
  subjects: ReadonlyMap<string, Subject>;
  /** The cursor to begin after. */
  from: string;
  notify(uri: string): void;
  /** Ends it. */
  signal: AbortSignal;
}

/**
 * Reports each URI that an event affects, until the signal aborts. Before each report it checks again that the caller
 * has access, and to which inboxes. Rejects when the access has ended.
 */
export async function follow({ open, subjects, from, notify, signal }: Following): Promise<void> {
  let after = from;
  while (!signal.aborted) {
    const host = await open();
    const page = await nextPage(host, after, signal);
    if (signal.aborted) return;
    if (page === "lost") {
      // Events that nobody read are gone: anything may have changed.
      after = await newestCursor(host);
      for (const uri of subjects.keys()) notify(uri);
      continue;
    }
    after = page.next_cursor;
    if (page.data.length === 0) continue;
    const caller = await (await open()).caller();
    const told = new Set<string>();
    for (const event of page.data)
      if (mayRead(caller, event)) for (const uri of urisOf(event, subjects)) told.add(uri);
    for (const uri of told) notify(uri);
  }
}

/** Asks every second whether the caller has access, for a stream that follows nothing. Rejects when it has ended. */
async function keepAsking(open: () => Promise<ToolHost>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(LIMITS.rights_checked_ms, undefined, { signal }).catch(() => undefined); // aborted: the loop ends
    if (!signal.aborted) await open();
  }
}

interface Page {
  data: Event[];
  next_cursor: string;
}

/** The next events, waited for; none when it should be asked again, and `lost` when the cursor is too old. */
async function nextPage(host: ToolHost, after: string, signal: AbortSignal): Promise<Page | "lost"> {
  try {
    const input = { after, wait: LIMITS.event_wait_max_seconds, limit: LIMITS.list_max };
    return (await host.call("events.list", input, { signal })) as Page;
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (signal.aborted) return { data: [], next_cursor: after };
    if (code === "cursor_expired") return "lost";
    if (code !== "rate_limited") throw error;
    await pause(RETRY_MS, undefined, { signal }).catch(() => undefined); // aborted: the next call ends
    return { data: [], next_cursor: after };
  }
}

const mayRead = (caller: ToolCaller, { inbox_id }: Event): boolean =>
  maySubscribe(caller) &&
  (caller.inbox_ids === null || (inbox_id !== null && caller.inbox_ids.includes(inbox_id)));

function urisOf(event: Event, subjects: ReadonlyMap<string, Subject>): string[] {
  const ids = idsIn(event.data);
  return [...subjects].flatMap(([uri, { inbox_id, id }]) =>
    inbox_id === event.inbox_id && (id === undefined || ids.has(id)) ? [uri] : [],
  );
}

/** The messages and threads that an event names. */
function idsIn(data: Record<string, unknown>): Set<unknown> {
  const parts = ["message", "task", "draft"].map(
    (name) => data[name] as Record<string, unknown> | null | undefined,
  );
  const message = parts[0];
  const named = [data, ...parts].flatMap((part) => [part?.["message_id"], part?.["thread_id"]]);
  return new Set([message?.["id"], ...named].filter((id) => id !== undefined && id !== null));
}

/** A listen request that names only what its caller can follow; a bus for its stream follows these. */
export interface ListenRequest {
  message: Record<string, unknown>;
  subjects: ReadonlyMap<string, Subject>;
  from: string | undefined;
}

/** Takes out of a listen request what its caller can't follow. Fails with Invalid Params when it names too much. */
export async function readListenRequest(
  host: ToolHost,
  message: Record<string, unknown>,
): Promise<ListenRequest> {
  const params = message["params"] as Record<string, unknown> | undefined;
  const filter = params?.["notifications"] as Record<string, unknown> | undefined;
  const uris = filter?.["resourceSubscriptions"];
  if (!Array.isArray(uris) || !maySubscribe(await host.caller()))
    return { message, subjects: new Map(), from: undefined };
  if (uris.length > LIMITS.mcp_subscribed_resources)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Subscribe to at most ${LIMITS.mcp_subscribed_resources} resources at once.`,
    );
  const subjects = new Map<string, Subject>();
  for (const uri of uris) {
    const subject = typeof uri === "string" ? await subjectOf(host, uri) : undefined;
    if (subject !== undefined) subjects.set(uri as string, subject);
  }
  const notifications = { ...filter, resourceSubscriptions: [...subjects.keys()] };
  const from = subjects.size === 0 ? undefined : await newestCursor(host);
  return { message: { ...message, params: { ...params, notifications } }, subjects, from };
}

/** The bus behind one stream of one caller: it begins to follow when the stream opens, and ends with it. */
export interface SubscriptionBus extends ServerEventBus {
  /** Resolves when nobody listens any more, or the caller's access has ended. */
  ended: Promise<void>;
  /** Whether a stream listens. */
  isOpen(): boolean;
  end(): void;
}

/** Creates the bus of a listen request. `onError` gets the reason if it fails. */
export function createSubscriptionBus(
  { subjects, from }: ListenRequest,
  open: () => Promise<ToolHost>,
  onError: (error: Error) => void,
): SubscriptionBus {
  const stop = new AbortController();
  const ended = new Promise<void>((resolve) => {
    stop.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  const end = () => stop.abort();
  let opened = false;
  return {
    ended,
    isOpen: () => opened && !stop.signal.aborted,
    end,
    publish: () => undefined,
    subscribe(listener: (event: ServerEvent) => void) {
      opened = true;
      const notify = (uri: string) => listener({ kind: "resource_updated", uri });
      const { signal } = stop;
      const following =
        from === undefined ? keepAsking(open, signal) : follow({ open, subjects, from, notify, signal });
      following
        .catch((error: unknown) => onError(error instanceof Error ? error : new Error(String(error))))
        .finally(end);
      return end;
    },
  };
}
