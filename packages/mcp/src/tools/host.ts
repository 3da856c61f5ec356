import type { CallOptions, Client } from "@letterslot/client";
import {
  type Caller,
  type Letterslot,
  LetterslotError,
  type OperationName,
  type Permission,
} from "@letterslot/core";
import { callerId } from "@letterslot/core/internal";
import { type Clock, fail, systemClock } from "@letterslot/core/ports";
import { type OpenedFile, openWithin } from "../files.ts";

/** The facts about its caller that a tool needs, to show only permitted calls. */
export interface ToolCaller {
  /** Its id within its account: a request_id means something else to another caller. */
  id: string;
  type: Exclude<Caller["type"], "public">;
  /** Null: all of them. */
  permissions: readonly Permission[] | null;
  /** The inboxes that it is held to. Null: the whole account. */
  inbox_ids: readonly string[] | null;
}

/** The tools' access to the service on behalf of one caller: in its process or over HTTP. */
export interface ToolHost {
  /** Returns the caller. */
  caller(): Promise<ToolCaller>;
  /** Calls an operation. Fails with `LetterslotError` in process and with `LetterslotApiError` over HTTP. */
  call(
    operation: OperationName,
    input: Record<string, unknown>,
    options?: { idempotencyKey?: string; signal?: AbortSignal },
  ): Promise<unknown>;
  /**
   * Uploads a file of the machine that the tools run on, for an inbox; undefined for one that it may not. Absent where
   * models may name none. The same `key` again gets the upload that was made for it, unless the file has changed: a
   * repeated call has the same input.
   */
  uploadFile?(
    inbox_id: string,
    path: string,
    key: string | undefined,
  ): Promise<{ upload_id: string } | undefined>;
  /** The clock that measures waits. */
  clock: Pick<Clock, "after">;
}

/** The tools' access to a service in this process. Unexpected errors are logged and become `internal_error`. */
export function hostOf(
  { call, services }: Pick<Letterslot, "call" | "services">,
  caller: Exclude<Caller, { type: "public" }>,
): ToolHost {
  const { type, permissions, inbox_ids } = caller;
  return {
    caller: async () => ({ id: callerId(caller), type, permissions, inbox_ids }),
    call: (operation, input, options) =>
      call(caller, operation, input, options).catch((error: unknown) => {
        if (error instanceof LetterslotError) throw error;
        services.log.error({ error, operation }, "tool failed");
        throw fail("internal_error");
      }),
    clock: services.clock,
  };
}

/** The time for which the caller is cached, as permissions may change. */
const CALLER_KEPT_MS = 60_000;

/**
 * The tools' way to a server, by a client that has a key or an app's token. From `folders` models may attach files by
 * their path; without any they may name none.
 */
export function hostOfClient(
  client: Client,
  { folders = [] }: { folders?: readonly string[] } = {},
): ToolHost {
  let known: { at: number; caller: Promise<ToolCaller> } | undefined;
  const verbs = client as unknown as Record<string, Record<string, AnyCall>>;
  return {
    caller() {
      const at = performance.now();
      if (known !== undefined && at - known.at < CALLER_KEPT_MS) return known.caller;
      const asked = { at, caller: askCaller(client) };
      known = asked;
      // A failed answer isn't cached.
      asked.caller.catch(() => {
        if (known === asked) known = undefined;
      });
      return asked.caller;
    },
    call(operation, input, options = {}) {
      const [group = "", verb = ""] = operation.split(".");
      const call = verbs[group]?.[verb];
      if (call === undefined) throw new Error(`there is no operation ${operation}`);
      return Promise.resolve(call(input, options));
    },
    ...(folders.length === 0 ? {} : { uploadFile: uploadFrom(client, folders) }),
    clock: systemClock,
  };
}

/** Uploads that are remembered for a call that is repeated; beyond that the oldest is forgotten. */
const MAX_REMEMBERED = 1_000;

function uploadFrom(client: Client, folders: readonly string[]): NonNullable<ToolHost["uploadFile"]> {
  const made = new Map<string, Promise<{ upload_id: string }>>();
  return async (inbox_id, path, key) => {
    const file = await openWithin(folders, path);
    if (file === undefined) return undefined;
    if (key === undefined) return uploadOpened(client, inbox_id, file);
    const name = JSON.stringify([key, inbox_id, path, file.version]);
    const known = made.get(name);
    if (known !== undefined) {
      await closeQuietly(file);
      return known;
    }
    const uploading = uploadOpened(client, inbox_id, file);
    made.set(name, uploading);
    for (const oldest of made.keys()) {
      if (made.size <= MAX_REMEMBERED) break;
      made.delete(oldest);
    }
    // What failed may be tried again.
    uploading.catch(() => made.delete(name));
    return uploading;
  };
}

async function uploadOpened(
  client: Client,
  inbox_id: string,
  file: OpenedFile,
): Promise<{ upload_id: string }> {
  const { filename, size_bytes, bytes } = file;
  try {
    return await client.uploads.file({ inbox_id, filename, size_bytes, data: bytes() });
  } finally {
    await closeQuietly(file);
  }
}

/** Closes a file whatever happens: only the outcome of the upload counts. */
const closeQuietly = (file: OpenedFile): Promise<void> => file.close().catch(() => undefined);

type AnyCall = (input: Record<string, unknown>, options: CallOptions) => PromiseLike<unknown>;

async function askCaller(client: Client): Promise<ToolCaller> {
  const { auth_type, key, access } = await client.me.get();
  const type = auth_type === "oauth" ? "app" : "key";
  return { id: key?.id ?? type, type, ...access };
}
