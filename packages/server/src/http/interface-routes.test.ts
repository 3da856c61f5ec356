import { describe, expect, test } from "vitest";
import { openApiDocument } from "../docs/openapi.ts";

const of = (path: string, methods: string): string[] =>
  methods.split(" ").map((method) => `${method} ${path}`);

/** The routes of the interface, by area; `:` stands for any parameter. */
const INTERFACE: Record<string, string[]> = {
  accounts: [
    "POST /onboard",
    ...of("/keys", "GET POST"),
    ...of("/keys/:", "GET PATCH DELETE"),
    ...of("/me", "GET PATCH"),
    "POST /recover",
    "GET /recover/confirm",
    "GET /usernames/check",
    ...of("/lifecycle/unsubscribe", "GET POST"),
  ],
  apps: ["GET /oauth/grants", ...of("/oauth/grants/:", "GET DELETE")],
  workspaces: [
    ...of("/workspaces", "GET POST"),
    ...of("/workspaces/:", "GET PATCH DELETE"),
    "GET /workspaces/:/inboxes",
    "DELETE /workspaces/:/inboxes/:",
  ],
  inboxes: [
    ...of("/inboxes", "GET POST"),
    ...of("/inboxes/batch", "POST PATCH"),
    ...of("/inboxes/:", "GET PATCH DELETE"),
    "POST /inboxes/:/keys",
    "POST /inboxes/:/notify",
    "GET /inboxes/:/wait",
    "GET /inboxes/:/wait-for-code",
  ],
  messages: [
    ...of("/inboxes/:/messages", "GET POST"),
    ...of("/inboxes/:/messages/:", "GET PATCH DELETE"),
    "POST /inboxes/:/messages/:/reply",
    "POST /inboxes/:/messages/:/reply-all",
    "POST /inboxes/:/messages/:/forward",
    "POST /inboxes/:/messages/:/read",
    "POST /inboxes/:/messages/:/release",
    "GET /inboxes/:/messages/:/raw",
    "GET /inboxes/:/messages/:/attachments/:",
    "GET /inboxes/:/messages/:/attachments/:/text",
    "POST /inboxes/:/messages/batch-update",
    "POST /inboxes/:/messages/batch-get",
    "GET /inboxes/:/messages/search",
    "POST /inboxes/:/inbound",
    "GET /search",
  ],
  threads: [
    "GET /threads",
    "GET /inboxes/:/threads",
    "GET /inboxes/:/threads/search",
    ...of("/inboxes/:/threads/:", "GET PATCH DELETE"),
    "GET /inboxes/:/threads/:/attachments/:",
  ],
  drafts: [
    "GET /drafts",
    ...of("/inboxes/:/drafts", "GET POST"),
    ...of("/inboxes/:/drafts/:", "GET PATCH DELETE"),
    "POST /inboxes/:/drafts/:/send",
    "GET /inboxes/:/drafts/:/attachments/:",
  ],
  owners: [
    ...of("/inboxes/:/owners", "GET POST"),
    ...of("/inboxes/:/owners/:", "GET PATCH DELETE"),
    "POST /inboxes/:/owners/:/confirm",
    ...of("/owners/confirm", "GET POST"),
    ...of("/owners/unsubscribe", "GET POST"),
    ...of("/inboxes/:/allowlist", "GET POST"),
  ],
  updates: [
    ...of("/updates", "GET POST"),
    "POST /digests/flush",
    ...of("/internal/digests/flush", "GET POST"),
  ],
  tasks: ["GET /tasks", "GET /tasks/stream", ...of("/tasks/:", "GET PATCH"), "POST /tasks/:/reply"],
  webhooks: [
    ...of("/webhooks", "GET POST"),
    ...of("/webhooks/:", "GET PATCH DELETE"),
    "POST /webhooks/:/rotate-secret",
    "GET /webhooks/:/deliveries",
    "POST /webhooks/:/test",
    "POST /webhooks/:/deliveries/:/redeliver",
  ],
  events: [
    "GET /events",
    "GET /events/stream",
    "GET /inboxes/:/events",
    "GET /metrics/events",
    "GET /metrics/usage",
    "GET /metrics/rates",
  ],
  lists: [
    ...of("/suppressions", "GET POST"),
    "DELETE /suppressions/:",
    ...["", "/inboxes/:"].flatMap((scope) => [
      ...of(`${scope}/lists/:/:`, "GET POST"),
      ...of(`${scope}/lists/:/:/:`, "GET DELETE"),
    ]),
  ],
  domains: [
    "POST /domains",
    ...of("/domains/:", "GET DELETE"),
    "POST /domains/:/verify",
    "GET /domains/:/zone-file",
  ],
  phone: [
    ...of("/inboxes/:/phone-number", "GET POST DELETE"),
    "POST /inboxes/:/sms",
    "POST /inboxes/:/calls",
    "GET /phone-numbers",
    "GET /phone-numbers/available",
  ],
};

/** Routes that were decided on beside the interface. */
const BESIDE = [
  "GET /inboxes/:/messages/:/explain",
  "GET /approvals",
  "GET /approvals/:",
  "GET /approvals/:/content",
  "POST /approvals/:/cancel",
  "POST /approvals/:/decide",
  "POST /updates/:/answer",
  ...of("/owners/me/:", "PATCH DELETE"),
  "POST /owners/session/start",
  ...of("/owners/session", "GET POST DELETE"),
  "GET /owners/sessions",
  "DELETE /owners/sessions/:",
  ...of("/owners/authority", "GET POST"),
  "DELETE /owners/authority/:",
  "POST /recover/confirm",
  "GET /domains",
  "PATCH /domains/:",
  "POST /domains/:/rotate-dkim",
];

const documented = new Set(
  Object.entries(openApiDocument("http://letterslot.test").paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `${method.toUpperCase()} ${path.replace("/api/v1", "").replace(/\{\w+\}/g, ":")}`,
    ),
  ),
);
const missing = (wanted: readonly string[]) => wanted.filter((route) => !documented.has(route));

describe("the document", () => {
  test.each(Object.entries(INTERFACE))("has all routes of the interface on %s", (_area, wanted) =>
    expect(missing(wanted)).toEqual([]),
  );

  test("has all of the interface's 127", () => {
    const all = Object.values(INTERFACE).flat();
    expect([all.length, new Set(all).size]).toEqual([127, 127]);
    expect(missing(all)).toEqual([]);
  });

  test("has the routes that were decided on beside the interface", () => expect(missing(BESIDE)).toEqual([]));
});
