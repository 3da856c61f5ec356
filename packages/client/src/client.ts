import type { Calls, Event } from "@letterslot/core";
import { type Download, type FileDownload, openFile, readDownload } from "./download.ts";
import { LetterslotApiError } from "./error.ts";
import { type FollowOptions, followFeed } from "./follow.ts";
import { type Page, type PagePromise, paginate } from "./pages.ts";
import type { RepeatedAnswer } from "./replayed.ts";
import { type CallOptions, type ClientOptions, request } from "./request.ts";
import { type Route, type Routes, routes } from "./routes.ts";
import { openStream } from "./stream.ts";
import { type FileUpload, type FileUploadOptions, uploadFile } from "./upload-file.ts";

type AnyCallType = { input: unknown; output: unknown };

type RouteOf<Name extends string> = Name extends keyof Routes ? Routes[Name] : never;

type AnswerOf<Name extends string, O extends AnyCallType> =
  RouteOf<Name> extends { answers: "bytes" }
    ? Promise<Download>
    : RouteOf<Name> extends { answers: "file" }
      ? Promise<FileDownload>
      : RouteOf<Name> extends { answers: "stream" }
        ? AsyncGenerator<Event>
        : [RouteOf<Name>, O["output"]] extends [{ pages: true }, Page<infer T>]
          ? PagePromise<T, O["output"] & Page<T>>
          : RouteOf<Name> extends { idempotent: true }
            ? Promise<RepeatedAnswer<Name, O["output"]>>
            : Promise<O["output"]>;

type Call<Name extends string, O extends AnyCallType> =
  Record<string, never> extends O["input"]
    ? (input?: O["input"], options?: CallOptions) => AnswerOf<Name, O>
    : (input: O["input"], options?: CallOptions) => AnswerOf<Name, O>;

/**
 * Every operation by resource and verb, such as `client.messages.send({ inbox_id, to, text })`. Inputs are
 * flat. Await a list for one page or iterate it for all items; streams are async iterables; downloads resolve
 * to bytes, and an export to a stream of them. A repeated call is answered `Replayed` if the key may not read what the
 * first one made: `object` tells, and `whole` throws. Failures throw `LetterslotApiError`. `client.events.follow()` reads the event feed endlessly;
 * `client.uploads.file()` uploads a file and returns an item of `attachments`.
 */
export type Client = {
  [G in keyof Calls]: {
    [V in keyof Calls[G]]: Calls[G][V] extends AnyCallType
      ? Call<`${G & string}.${V & string}`, Calls[G][V]>
      : never;
  };
} & {
  events: { follow(options?: FollowOptions): AsyncGenerator<Event> };
  uploads: { file(file: FileUpload, options?: FileUploadOptions): Promise<{ upload_id: string }> };
};

type AnyCall = (input?: Record<string, unknown>, options?: CallOptions) => unknown;

/** Creates a client for the server at `base_url`. It sends nothing until you call an operation. */
export function createClient(options: ClientOptions): Client {
  const groups: Record<string, Record<string, AnyCall>> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    const [group = "", verb = ""] = name.split(".");
    groups[group] = { ...groups[group], [verb]: createCall(options, route) };
  }
  const list = groups["events"]?.["list"] as Parameters<typeof followFeed>[0];
  const follow = (feed: FollowOptions = {}) => followFeed(list, feed);
  const create = groups["uploads"]?.["create"] as Parameters<typeof uploadFile>[1];
  const file = (upload: FileUpload, more?: FileUploadOptions) => uploadFile(options, create, upload, more);
  return {
    ...groups,
    events: { ...groups["events"], follow },
    uploads: { ...groups["uploads"], file },
  } as unknown as Client;
}

function createCall(client: ClientOptions, route: Route): AnyCall {
  if (route.answers === "stream")
    return (input = {}, options = {}) => openStream(client, route, input, options);
  if (route.answers === "bytes")
    return (input = {}, options = {}) => request(client, route, input, options, readDownload);
  if (route.answers === "file")
    return (input = {}, options = {}) =>
      request(client, route, input, options, (response, timeout_ms) =>
        openFile(response, timeout_ms, options.signal),
      );
  if (route.pages) {
    return (input = {}, options = {}) =>
      paginate(input, (page) => request(client, route, page, options, readJson<Page<unknown>>));
  }
  return (input = {}, options = {}) => request(client, route, input, options, readJson);
}

async function readJson<T>(response: Response): Promise<T> {
  const text = await response.text();
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    const request_id = response.headers.get("x-request-id") ?? undefined;
    const message = "The response is not JSON. Is base_url the address of a Letterslot server?";
    throw new LetterslotApiError({
      code: "unexpected_answer",
      message,
      status: response.status,
      request_id,
      cause,
    });
  }
}
