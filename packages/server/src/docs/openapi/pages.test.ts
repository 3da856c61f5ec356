import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "../../../testing/serve.ts";
import { openApiDocument } from "../openapi.ts";

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

const pages = Object.entries(openApiDocument("http://letterslot.test").paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { responses }]) => responses["200"]?.content?.["text/html"] !== undefined)
    .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

/** Calls a page with a token that is none, as a browser does or as a program. */
async function open({ path, method }: (typeof pages)[number], accept: string) {
  const url = `${served.base_url}${path.replace("{id}", "none")}`;
  const response =
    method === "GET"
      ? await fetch(`${url}?token=none`, { headers: { accept }, redirect: "manual" })
      : await fetch(url, {
          method,
          headers: { accept, "sec-fetch-site": "same-origin" },
          body: new URLSearchParams({ token: "none", email: "mara@family.example" }),
          redirect: "manual",
        });
  return { status: response.status, type: response.headers.get("content-type")?.split(";")[0] };
}

test("the document knows of every page of a letter", () => {
  expect(pages.length).toBeGreaterThan(15);
});

test.each(pages)("$method $path answers browsers with a page, as documented", async (page) => {
  const { status, type } = await open(page, "text/html");
  const documented = page.operation.responses[String(status)];
  expect({ status, documented }).toEqual({ status, documented: expect.any(Object) });
  const isPage =
    documented?.$ref === "#/components/responses/ErrorOrPage" || "text/html" in (documented?.content ?? {});
  expect({ type, isPage }).toEqual({ type: "text/html", isPage: true });
});

test.each(pages.filter(({ operation }) => "application/json" in (operation.responses["200"]?.content ?? {})))(
  "$method $path answers programs with JSON",
  async (page) => {
    expect(await open(page, "application/json")).toMatchObject({ type: "application/json" });
  },
);
