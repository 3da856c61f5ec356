import { describe, expect, test } from "vitest";
import { encodeRequest } from "./encode-request.ts";

const get = { method: "GET", path: "/api/v1/inboxes/:inbox_id/messages" } as const;
const post = { ...get, method: "POST" } as const;

describe("encodeRequest", () => {
  test("a read sends its fields in the path, then in the query, repeating a list's name", () => {
    const input = {
      inbox_id: "inb_1",
      label: ["a", "b"],
      limit: 5,
      cursor: undefined,
      from: "ada+x@example.com",
    };
    expect(encodeRequest("http://h/", get, input)).toEqual({
      url: "http://h/api/v1/inboxes/inb_1/messages?label=a&label=b&limit=5&from=ada%2Bx%40example.com",
      headers: {},
      body: undefined,
    });
  });

  test("a write sends its fields in the path, then in the body", () => {
    expect(encodeRequest("http://h", post, { inbox_id: "inb_1", text: "x", html: undefined })).toEqual({
      url: "http://h/api/v1/inboxes/inb_1/messages",
      headers: {},
      body: '{"text":"x"}',
    });
    expect(encodeRequest("http://h", post, { inbox_id: "inb_1" }).body).toBeUndefined();
  });

  test("a field declared as a header is sent only as a header", () => {
    const route = {
      method: "GET",
      path: "/api/v1/tasks/stream",
      headers: { last_event_id: "last-event-id" },
    } as const;
    expect(encodeRequest("http://h", route, { last_event_id: "7" })).toMatchObject({
      url: "http://h/api/v1/tasks/stream",
      headers: { "last-event-id": "7" },
    });
    expect(encodeRequest("http://h", route, {}).headers).toEqual({});
  });

  test.each([
    ["a/b", "a%2Fb"],
    ["a?b#c", "a%3Fb%23c"],
    ["ada@example.com", "ada%40example.com"],
    ["../x", "..%2Fx"],
    ["%2e%2e", "%252e%252e"],
    ["…", "%E2%80%A6"],
  ])("%j cannot leave its path segment", (value, encoded) => {
    const { url } = encodeRequest("http://h", get, { inbox_id: value });
    expect(new URL(url).pathname).toBe(`/api/v1/inboxes/${encoded}/messages`);
  });

  test.each(["", ".", "..", undefined, 7, null])("%j is rejected as a path field", (value) => {
    expect(() => encodeRequest("http://h", get, { inbox_id: value })).toThrow("inbox_id must be a string");
  });
});
