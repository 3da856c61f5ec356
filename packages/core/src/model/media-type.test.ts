import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../test/support/processor-time.ts";
import { keptParameters, mediaTypeText, parametersToSend, readMediaType } from "./media-type.ts";

describe("a media type that a caller gives", () => {
  test.each([
    ["text/csv", "text/csv", {}],
    [
      "Text/Calendar; Method=REQUEST; charset=utf-8",
      "text/calendar",
      { method: "REQUEST", charset: "utf-8" },
    ],
    ['text/plain;format="flowed" ;  delsp=yes ', "text/plain", { format: "flowed", delsp: "yes" }],
    ['application/x-a; v="a \\"b\\"; c"', "application/x-a", { v: 'a "b"; c' }],
    ['text/csv; name="a.csv"; boundary=x; header=present', "text/csv", { header: "present" }],
    ["text/csv;", "text/csv", {}],
  ])("%s is read", (text, type, parameters) => {
    expect(readMediaType(text)).toEqual({ type, parameters });
  });

  test.each([
    "",
    "text",
    "text/",
    "text/csv; charset",
    "text/csv; charset=",
    "text/csv; =utf-8",
    "text/csv; charset=utf-8; charset=latin1",
    'text/csv; charset="utf-8',
    'text/csv; charset="utf-8"x',
    "text/csv; charset=utf 8",
    "text/csv charset=utf-8",
    "text/csv; a=b\r\nX-Evil: c",
    'text/csv; a="b\r\nX-Evil: c"',
    "text/csv; a=ü",
    'text/csv; a="ü"',
    "text/csv; ; a=b",
    `text/csv; a=${"b".repeat(201)}`,
    `text/csv${Array.from({ length: 21 }, (_, n) => `; a${n}=b`).join("")}`,
  ])("%j is refused", (text) => {
    expect(readMediaType(text)).toBeUndefined();
  });

  test("is read in linear time", async () => {
    const hostile = [
      `text/csv${"; ".repeat(300_000)}`,
      `text/csv; a="${"\\a".repeat(300_000)}`,
      `text/csv${" ".repeat(600_000)}x`,
    ];
    expect(await measureThreadCpu(() => hostile.map(readMediaType))).toBeLessThan(500);
  });
});

test.each([
  [{ type: "text/csv", parameters: {} }, "text/csv"],
  [
    { type: "text/calendar", parameters: { method: "REQUEST", charset: "utf-8" } },
    "text/calendar; method=REQUEST; charset=utf-8",
  ],
  [{ type: "a/b", parameters: { v: 'x "y" \\' } }, 'a/b; v="x \\"y\\" \\\\"'],
])("%j is written so that it is read again", (media_type, text) => {
  expect(mediaTypeText(media_type)).toBe(text);
  expect(readMediaType(text)).toEqual(media_type);
});

describe("of a received attachment", () => {
  test("what says how to read it is kept", () => {
    const parameters = new Map([
      ["method", "REQUEST"],
      ["charset", "ISO-8859-15"],
      ["format", "flowed"],
      ["name", "invite.ics"],
      ["boundary", "x"],
    ]);
    expect(keptParameters(parameters)).toEqual({
      method: "REQUEST",
      charset: "ISO-8859-15",
      format: "flowed",
    });
  });

  test.each([
    ["a secret", `lso${"a".repeat(38)}`],
    ["a code", "733135"],
    ["a code in disguise", "733-135"],
    ["a code between letters", "7a3b3c1d3e5"],
    ["an address", "r+abc@example.com"],
    ["control characters", "a\nb"],
    ["letters beyond ASCII", "７３３１３５"],
    ["nothing", ""],
  ])("%s is not", (_what, value) => {
    expect(keptParameters(new Map([["x-a", value]]))).toBeUndefined();
  });

  test("at most ten are", () => {
    const many = new Map(Array.from({ length: 50 }, (_, n) => [`p${n}`, "v"]));
    expect(Object.keys(keptParameters(many) ?? {})).toHaveLength(10);
  });
});

describe("a calendar file is sent", () => {
  const calendar = { type: "text/calendar", parameters: {} };
  const file = (...lines: string[]) =>
    Buffer.from(["BEGIN:VCALENDAR", ...lines, "END:VCALENDAR"].join("\r\n"));

  test("with the method that it states", () => {
    expect(parametersToSend(calendar, file("VERSION:2.0", "METHOD:request", "BEGIN:VEVENT"))).toEqual({
      method: "REQUEST",
    });
    expect(parametersToSend(calendar, file("method;x=y:CANCEL "))).toEqual({ method: "CANCEL" });
    expect(parametersToSend(calendar, file("SUMMARY:METHOD:REQUEST", "X-METHOD:REPLY"))).toEqual({});
  });

  test("with that of the caller, if there is one", () => {
    const given = { type: "text/calendar", parameters: { method: "PUBLISH" } };
    expect(parametersToSend(given, file("METHOD:REQUEST"))).toEqual({ method: "PUBLISH" });
  });

  test("as UTF-8 when it is, and as nothing when it is something else", () => {
    expect(parametersToSend(calendar, file("SUMMARY:Grüße"))).toEqual({ charset: "utf-8" });
    expect(parametersToSend(calendar, Buffer.from("SUMMARY:Gr\xfc\xdfe", "latin1"))).toEqual({});
  });

  test("unlike other files", () => {
    expect(parametersToSend({ type: "text/plain", parameters: {} }, file("METHOD:REQUEST"))).toEqual({});
  });
});
