import { readFile } from "node:fs/promises";
import { routes } from "@letterslot/client/routes";
import { ERROR_CATALOGUE, EVENT_TYPES } from "@letterslot/core";
import { MESSAGE_SIZE } from "@letterslot/core/ports";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCheckedFetch } from "../../testing/checked-fetch.ts";
import { type Served, serve } from "../../testing/serve.ts";
import { eventSample } from "./event-samples.ts";
import { openApiDocument } from "./openapi.ts";
import { unbuiltPage } from "./serve-site.ts";

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

describe("the documentation", () => {
  test("and the written pages say how large a message may be, in the words of the error", async () => {
    for (const name of ["mail-in-without-port-25", "decisions/0061-a-message-is-as-large-as-its-content"]) {
      const url = new URL(`../../../../docs/${name}.md`, import.meta.url);
      expect((await readFile(url, "utf8")).replaceAll("\n", " ")).toContain(MESSAGE_SIZE);
    }
    const document = JSON.stringify(openApiDocument("https://mail.example.com"));
    expect(document.split(MESSAGE_SIZE).length).toBeGreaterThan(6);
  });

  test("is where the root redirects to", async () => {
    const { status, headers } = await fetch(`${served.base_url}/`, { redirect: "manual" });
    expect({ status, location: headers.get("location") }).toEqual({
      status: 302,
      location: "http://letterslot.test/docs",
    });
  });

  test("says how to build it where nobody has, and what each error means", async () => {
    const text = (await unbuiltPage()).toString();
    expect(text).toContain("pnpm@12 run docs");
    for (const code of Object.keys(ERROR_CATALOGUE)) expect(text).toContain(` id="${code}"`);
  });
});

/** Paths of the interface that aren't in the wire table. */
const BEYOND_THE_TABLE = [
  "approvals.keys",
  "inboxes.update.batch",
  "operator.flushDigests.get",
  "operator.flushDigests.post",
  "operator.receive",
  "operator.reportDeliveries",
  "operator.telephonyCallback",
  "uploads.put",
  "views.get",
  "files.get",
  "owners.unsubscribe.page",
  "recovery.page",
  "sessions.page",
  "sessions.page.submit",
  "pairings.page",
  "pairings.page.submit",
  "pairings.page.status",
  "ownerMessages.page",
  "ownerMessages.page.submit",
  "authority.page.submit",
  "approvals.receipt.page",
  "passkeys.page",
  "passkeys.page.submit",
  "oauth.consent",
  "oauth.consent.submit",
  "oauth.server",
  "oauth.resource.api",
  "oauth.resource.mcp",
  "oauth.register",
  "oauth.authorize",
  "oauth.token",
  "oauth.revoke",
  "oauth.code",
];

describe("the OpenAPI document", () => {
  test("has the paths that aren't in the wire table", () => {
    const { paths } = openApiDocument("http://letterslot.test") as {
      paths: Record<string, Record<string, { security: object[]; parameters?: { name: string }[] }>>;
    };
    const batch = paths["/api/v1/inboxes/batch"];
    expect(Object.keys(batch ?? {}).toSorted()).toEqual(["patch", "post"]);
    expect(batch?.["patch"]?.parameters).toEqual([]);
    expect(paths["/api/v1/internal/digests/flush"]).toMatchObject({
      get: { security: [{ cron_secret: [] }] },
      post: { security: [{ cron_secret: [] }, { inbound_secret: [] }] },
    });
    expect(paths["/api/v1/internal/inbound"]).toHaveProperty("post");
    expect(paths["/api/v1/owners/unsubscribe"]).toHaveProperty("get");
  });

  test("has the paths of the authorization server, where they are", async () => {
    const paths = Object.entries(openApiDocument("http://letterslot.test").paths);
    const own = paths.filter(([, methods]) =>
      Object.values(methods).some(({ tags }) => tags.includes("oauth")),
    );
    expect(own).toHaveLength(9);
    for (const [path, methods] of own)
      for (const [method, { responses }] of Object.entries(methods)) {
        const { status } = await fetch(`${served.base_url}${path}`, { method: method.toUpperCase() });
        expect({ path, documented: Object.keys(responses) }).toEqual({
          path,
          documented: expect.arrayContaining([String(status)]),
        });
      }
  });

  test("says what the operator's digest flush answers", async () => {
    const own = await serve({ cronSecret: "a-secret-of-the-operator" });
    const url = `${own.base_url}/api/v1/internal/digests/flush`;
    for (const method of ["GET", "POST"]) {
      const init = { method, headers: { authorization: "Bearer a-secret-of-the-operator" } };
      expect(await (await own.fetch(url, init)).json()).toMatchObject({ object: "digest_flush", sent: 0 });
      expect((await own.fetch(url, { method })).status).toBe(401);
    }
    await own.close();
  });

  test("names each operation once, and its answer as a component", async () => {
    const document = (await (await fetch(`${served.base_url}/openapi.json`)).json()) as ReturnType<
      typeof openApiDocument
    >;
    expect(document).toMatchObject({ openapi: "3.1.0", info: { version: "1.0.0" } });
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).flatMap((operation) =>
        [operation, ...(operation["x-variants"] ?? [])].map(({ operationId }) => operationId),
      ),
    );
    expect(ids.toSorted()).toEqual([...Object.keys(routes), ...BEYOND_THE_TABLE].toSorted());
    expect(document["components"]).toMatchObject({
      schemas: { Inbox: { type: "object" }, Message: {}, Task: {}, Webhook: {}, Owner: {}, Error: {} },
    });
  });

  test("has a webhook for every event type, with its schema and a sample", () => {
    const { webhooks, components } = openApiDocument("http://letterslot.test") as unknown as {
      webhooks: Record<string, { post: { requestBody: { content: Record<string, unknown> } } }>;
      components: { schemas: Record<string, { properties: { type: { const: string } } }> };
    };
    expect(Object.keys(webhooks)).toEqual(EVENT_TYPES);
    for (const type of EVENT_TYPES) {
      const { schema, example } = contentOf(webhooks, type);
      const component = schema.$ref.slice("#/components/schemas/".length);
      expect(components.schemas[component]?.properties.type.const).toBe(type);
      expect(example).toEqual(eventSample(type));
    }
  });

  const contentOf = (
    webhooks: Record<string, { post: { requestBody: { content: Record<string, unknown> } } }>,
    type: string,
  ) => {
    const content = webhooks[type]?.post.requestBody.content["application/json"];
    return content as { schema: { $ref: string }; example: unknown };
  };

  test("is closed: an answer with an unknown field fails the check", async () => {
    const document = openApiDocument("http://letterslot.test");
    const inbox = (
      document["components"] as {
        schemas: { Inbox: { properties: Record<string, unknown>; required: string[] } };
      }
    ).schemas.Inbox;
    const { api_key, inbox: made } = await served.client().accounts.onboard({ username: "ada" });
    const init = { headers: { authorization: `Bearer ${api_key}` } };
    const url = `${served.base_url}/api/v1/inboxes/${made.id}`;
    await expect(createCheckedFetch(served.base_url, document)(url, init)).resolves.toHaveProperty(
      "status",
      200,
    );
    delete inbox.properties["labels"];
    inbox.required = inbox.required.filter((field) => field !== "labels");
    await expect(createCheckedFetch(served.base_url, document)(url, init)).rejects.toThrow(
      /not as documented/,
    );
  });
});
