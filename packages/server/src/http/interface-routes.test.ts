import { type Route, routes } from "@letterslot/client/routes";
import { describe, expect, test } from "vitest";

/** The routes that the interface requires, by area; `:` stands for any parameter. */
const areas: Record<string, string[]> = {
  inboxes: [
    "GET /inboxes",
    "POST /inboxes",
    "POST /inboxes/batch",
    "GET /inboxes/:",
    "PATCH /inboxes/:",
    "DELETE /inboxes/:",
    "POST /inboxes/:/keys",
    "GET /usernames/check",
  ],
  messages: [
    "GET /inboxes/:/messages",
    "POST /inboxes/:/messages",
    "GET /inboxes/:/messages/:",
    "PATCH /inboxes/:/messages/:",
    "DELETE /inboxes/:/messages/:",
    "POST /inboxes/:/messages/:/reply",
    "POST /inboxes/:/messages/:/reply-all",
    "POST /inboxes/:/messages/:/forward",
    "POST /inboxes/:/messages/:/read",
    "POST /inboxes/:/messages/:/release",
    "GET /inboxes/:/messages/:/raw",
    "GET /inboxes/:/messages/:/explain",
    "GET /inboxes/:/messages/:/attachments/:",
    "GET /inboxes/:/messages/:/attachments/:/text",
    "POST /inboxes/:/messages/batch-update",
    "POST /inboxes/:/messages/batch-get",
    "GET /inboxes/:/messages/search",
    "POST /inboxes/:/inbound",
    "GET /inboxes/:/wait",
    "GET /inboxes/:/wait-for-code",
    "GET /search",
  ],
  threads: [
    "GET /threads",
    "GET /inboxes/:/threads",
    "GET /inboxes/:/threads/search",
    "GET /inboxes/:/threads/:",
    "PATCH /inboxes/:/threads/:",
    "DELETE /inboxes/:/threads/:",
    "GET /inboxes/:/threads/:/attachments/:",
  ],
  drafts: [
    "GET /drafts",
    "GET /inboxes/:/drafts",
    "POST /inboxes/:/drafts",
    "GET /inboxes/:/drafts/:",
    "PATCH /inboxes/:/drafts/:",
    "DELETE /inboxes/:/drafts/:",
    "POST /inboxes/:/drafts/:/send",
    "GET /inboxes/:/drafts/:/attachments/:",
    "GET /approvals",
    "GET /approvals/:",
    "POST /approvals/:/cancel",
  ],
  lists: [
    "GET /suppressions",
    "POST /suppressions",
    "DELETE /suppressions/:",
    ...["", "/inboxes/:"].flatMap((scope) => [
      `GET ${scope}/lists/:/:`,
      `POST ${scope}/lists/:/:`,
      `GET ${scope}/lists/:/:/:`,
      `DELETE ${scope}/lists/:/:/:`,
    ]),
  ],
};

const actual = new Set(
  Object.values<Route>(routes).map(
    ({ method, path }) => `${method} ${path.replace("/api/v1", "").replace(/:\w+/g, ":")}`,
  ),
);

describe("the interface's mail surface", () => {
  test.each(Object.entries(areas))("%s has all its routes", (_area, wanted) => {
    expect(wanted.filter((route) => !actual.has(route))).toEqual([]);
  });
});
