import { createTestService } from "@letterslot/core/testing";
import { createOAuth } from "@letterslot/oauth";
import fc from "fast-check";
import type { Hono } from "hono";
import { MESSAGE_MATCHER_IS_ALREADY_BUILT, type Router, UnsupportedPathError } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";
import { describe, expect, test } from "vitest";
import type { ServerEnv } from "../request/context.ts";
import { createApp } from "./app.ts";
import { createMetrics } from "./metrics.ts";
import { createPathRouter } from "./path-router.ts";

interface Line {
  method: string;
  path: string;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "PROPFIND", "ALL"];

/** Routers with the lines of a table as handlers, ours and Hono's. */
function routersOf(lines: readonly Line[]): { ours: Router<number>; honos: Router<number> } {
  const routers = { ours: createPathRouter<number>(), honos: new TrieRouter<number>() };
  for (const [number, { method, path }] of lines.entries())
    for (const router of Object.values(routers)) router.add(method, path, number);
  return routers;
}

/**
 * The lines that match, in order, each with its parameters. Hono's router finds a route twice when a segment is the
 * route's own (`*`, `:id`); once is enough.
 */
function matchesOf(router: Router<number>, method: string, path: string): [number, Record<string, string>][] {
  const [found, segments] = router.match(method, path);
  const once = found.filter(([number], at) => found.findIndex(([first]) => first === number) === at);
  return once.map(([number, parameters]) => [
    number,
    Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [
        name,
        typeof value === "number" ? (segments?.[value] ?? "") : value,
      ]),
    ),
  ]);
}

function wholeServer(): Hono<ServerEnv> {
  const { letterslot } = createTestService({ baseUrl: "http://app.test" });
  return createApp({
    letterslot,
    oauth: createOAuth(letterslot),
    inboundSecret: "inbound",
    cronSecret: "cron",
    corsOrigins: ["https://page.test"],
    capturedMail: { list: async () => [], read: async () => undefined },
    metrics: createMetrics(),
  });
}

/** Paths like those of a table, and unlike them: parameters are ids, words of other routes, empty, encoded … */
function pathsFor(lines: readonly Line[]): string[] {
  const words = lines.flatMap(({ path }) => path.split("/").filter((word) => /^[a-z-]+$/.test(word)));
  const values = [...new Set(words), "inb_1", "", "*", ":id", "a b", "a%2Fb", "%25", "é", "__proto__", "A"];
  const paths = new Set(["/", "//", "*", "/api", "/api/", "/nothing", "/api/v1/__proto__/constructor"]);
  for (const [number, { path }] of lines.entries()) {
    for (const value of values) paths.add(path.replace(/:\w+/g, value).replace("*", value) || "/");
    // Each parameter has another value.
    let taken = number;
    const mixed = path.replace(/:\w+/g, () => values[taken++ % values.length] ?? "");
    for (const like of [
      mixed,
      `${mixed}/`,
      `${mixed}/more`,
      `/${mixed}`,
      mixed.slice(0, mixed.lastIndexOf("/")),
    ])
      paths.add(like || "/");
  }
  return [...paths];
}

describe("the path router", () => {
  test("finds for the server's routes what Hono's router finds", () => {
    const lines = wholeServer().routes;
    const { ours, honos } = routersOf(lines);
    const paths = pathsFor(lines);
    expect(paths.length).toBeGreaterThan(2_000);
    const foundBy = (router: Router<number>) => (asked: string) =>
      METHODS.map((method) => JSON.stringify([method, asked, matchesOf(router, method, asked)]));
    expect(paths.flatMap(foundBy(ours))).toEqual(paths.flatMap(foundBy(honos)));
  });

  test("finds for any routes what Hono's router finds", () => {
    const word = fc.constantFrom("a", "b", "c", "constructor", "__proto__", "a.b", "é");
    const parameter = fc.constantFrom(":a", ":b", ":c");
    const segments = fc.array(fc.oneof(word, parameter), { maxLength: 4 });
    const ending = fc.constantFrom("", "/*");
    const path = fc
      .tuple(segments, ending)
      .map(([parts, end]) => `/${parts.join("/")}`.replace(/\/$/, "") + end);
    const line = fc.record({
      method: fc.constantFrom("GET", "POST", "ALL"),
      path: path.map((each) => each || "/"),
    });
    const asked = fc.array(fc.oneof(word, fc.constantFrom("", "x", "*", ":a")), {
      minLength: 1,
      maxLength: 5,
    });
    const isClear = ({ path: each }: Line) =>
      new Set(each.match(/:\w/g)).size === (each.match(/:\w/g) ?? []).length;
    fc.assert(
      fc.property(fc.array(line.filter(isClear), { maxLength: 12 }), fc.array(asked), (lines, questions) => {
        const { ours, honos } = routersOf(lines);
        for (const parts of questions)
          for (const method of ["GET", "PUT"]) {
            const at = `/${parts.join("/")}`;
            expect(matchesOf(ours, method, at)).toEqual(matchesOf(honos, method, at));
          }
      }),
    );
  });

  test.each(["/:file{[a-z]+}", "/:id?", "/*/below", "/a*", "/a:b", "/:a/:a", "no/slash"])(
    "leaves %s to another router",
    (path) => {
      expect(() => createPathRouter().add("GET", path, 1)).toThrow(UnsupportedPathError);
    },
  );

  test("remembers nothing of the paths that were asked for", () => {
    const { ours } = routersOf([{ method: "GET", path: "/a/:id" }]);
    const deep = "/x".repeat(100_000);
    expect(ours.match("GET", deep)[0]).toEqual([]);
    expect(ours.match("GET", "/a/b")[0]).toHaveLength(1);
    expect(() => ours.add("GET", "/late", 1)).toThrow(MESSAGE_MATCHER_IS_ALREADY_BUILT);
  });
});

describe("the server with the path router", () => {
  const server = wholeServer();
  const other = wholeServer();
  other.router = new TrieRouter();
  for (const route of other.routes) other.router.add(route.method, route.path, [route.handler, route]);

  /** Returns a client's view of an answer, without the parts that differ between requests. */
  async function seen(app: Hono<ServerEnv>, method: string, path: string) {
    const answer = await app.request(`http://app.test${path}`, { method });
    const headers = Object.fromEntries(answer.headers);
    const shown = JSON.stringify({ status: answer.status, headers, text: await answer.text() });
    return (
      shown
        .replaceAll(headers["x-request-id"] ?? "", "…")
        .replace(/\b(ls_challenge|ls_live|key|acct)(=|_)\w+/g, "$1")
        // Each service has keys of its own.
        .replace(/\\?"(x|kid|made_at|created_at)\\?":\\?"[^"\\]+\\?"/g, "$1")
    );
  }

  test("answers each route, method and form of path as with Hono's", async () => {
    const known = [...new Set(server.routes.map(({ path }) => path))].filter(
      (path) => !/^\/docs|stream/.test(path),
    );
    for (const path of known) {
      const named = path.replace(/:\w+/g, "inb_x").replace("*", "more");
      for (const method of ["GET", "HEAD", "POST", "PUT", "OPTIONS"])
        for (const form of [named, `${named.replace("inb_x", "a%2Fb%25")}/`])
          expect([method, form, await seen(server, method, form)]).toEqual([
            method,
            form,
            await seen(other, method, form),
          ]);
    }
  });
});
