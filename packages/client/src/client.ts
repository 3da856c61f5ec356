import type { Event, Operations } from "@letterslot/core";
import type { z } from "zod";
import { type Download, downloadOf } from "./download.ts";
import { LetterslotApiError } from "./error.ts";
import { type FollowOptions, followFeed } from "./follow.ts";
import { type Page, type PagePromise, pagesOf } from "./pages.ts";
import { type CallOptions, type ClientOptions, request } from "./request.ts";
import { type Route, type Routes, routes } from "./routes.ts";
import { streamOf } from "./stream.ts";

type InputOf<O> = O extends { input: infer I extends z.ZodType } ? z.input<I> : never;
type OutputOf<O> = O extends { output: infer T extends z.ZodType } ? z.output<T> : never;

type RouteOf<Name extends string> = Name extends keyof Routes ? Routes[Name] : never;

type AnswerOf<Name extends string, O> =
  RouteOf<Name> extends { answers: "bytes" }
    ? Promise<Download>
    : RouteOf<Name> extends { answers: "stream" }
      ? AsyncGenerator<Event>
      : [RouteOf<Name>, OutputOf<O>] extends [{ pages: true }, Page<infer T>]
        ? PagePromise<T, OutputOf<O> & Page<T>>
        : Promise<OutputOf<O>>;

type Call<Name extends string, O> =
  Record<string, never> extends InputOf<O>
    ? (input?: InputOf<O>, options?: CallOptions) => AnswerOf<Name, O>
    : (input: InputOf<O>, options?: CallOptions) => AnswerOf<Name, O>;

/**
 * The operations over HTTP, by resource and verb: `client.messages.send({ inbox_id, to, text })`. Inputs are
 * flat. Lists can be awaited for one page or iterated for all items, streams are async iterables, downloads
 * give bytes. Failures are `LetterslotApiError`. `client.events.follow()` reads the feed on and on.
 */
export type Client = {
  [G in keyof Operations]: {
    [V in keyof Operations[G] & string]: Call<`${G & string}.${V}`, Operations[G][V]>;
  };
} & { events: { follow(options?: FollowOptions): AsyncGenerator<Event> } };

type AnyCall = (input?: Record<string, unknown>, options?: CallOptions) => unknown;

/** A client of the server at `base_url`. Nothing is sent until something is called. */
export function createClient(options: ClientOptions): Client {
  const groups: Record<string, Record<string, AnyCall>> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    const [group = "", verb = ""] = name.split(".");
    groups[group] = { ...groups[group], [verb]: callOf(options, route) };
  }
  const list = groups["events"]?.["list"] as Parameters<typeof followFeed>[0];
  const follow = (feed: FollowOptions = {}) => followFeed(list, feed);
  return { ...groups, events: { ...groups["events"], follow } } as unknown as Client;
}

function callOf(client: ClientOptions, route: Route): AnyCall {
  if (route.answers === "stream")
    return (input = {}, options = {}) => streamOf(client, route, input, options);
  if (route.answers === "bytes")
    return (input = {}, options = {}) => request(client, route, input, options, downloadOf);
  if (route.pages) {
    return (input = {}, options = {}) =>
      pagesOf(input, (page) => request(client, route, page, options, jsonOf<Page<unknown>>));
  }
  return (input = {}, options = {}) => request(client, route, input, options, jsonOf);
}

async function jsonOf<T>(response: Response): Promise<T> {
  const text = await response.text();
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    const request_id = response.headers.get("x-request-id") ?? undefined;
    const message = "The answer is not JSON; is base_url the address of a Letterslot server?";
    throw new LetterslotApiError({
      code: "unexpected_answer",
      message,
      status: response.status,
      request_id,
      cause,
    });
  }
}
