import { expect, test } from "vitest";
import { bannerOf, warn } from "./announce.ts";
import { readConfig } from "./config.ts";

const MAX_COLUMNS = 80;
const started = {
  config: readConfig({}),
  base_url: "http://localhost:8025",
  smtp: { host: "127.0.0.1", port: 2525 },
  dataDir: { path: "/home/olga/projects/mail/data", file: String, secret: async () => "" },
  outbox: true,
  oauth: true,
  telephony: { name: "simulator", page: true },
};

const TWILIO = {
  BASE_URL: "https://mail.example.com",
  TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
  TWILIO_AUTH_TOKEN: "0123456789abcdef",
};

test.each([
  ["by default", {}],
  ["without captured mail on a page", { outbox: false }],
  ["without OAuth", { oauth: false }],
  ["without SMTP", { smtp: undefined }],
  ["with SMTP_URL", { config: readConfig({ SMTP_URL: "smtp://mail.example.com" }) }],
  ["with mx: as SMTP_URL", { config: readConfig({ SMTP_URL: "mx:" }) }],
])("the banner fits a terminal of 80 columns %s", (_, differing) => {
  const lines = bannerOf({ ...started, ...differing }).split("\n");
  expect(lines.filter((line) => line.length > MAX_COLUMNS)).toEqual([]);
});

test.each([
  ["on: people can let them in", { oauth: true }],
  ["off: npm install @letterslot/oauth", { oauth: false }],
  ["off", { oauth: false, config: readConfig({ OAUTH: "off" }) }],
])("the banner says whether apps get in: %s", (words, differing) => {
  expect(bannerOf({ ...started, ...differing }).split("\n")).toContain(`  Apps (OAuth)   ${words}`);
});

test.each([
  ["http://localhost:8025/mcp", {}],
  ["off", { config: readConfig({ MCP: "off" }) }],
])("the banner says where models get in: %s", (words, differing) => {
  expect(bannerOf({ ...started, ...differing }).split("\n")).toContain(`  Models (MCP)   ${words}`);
});

test.each([
  ["simulated: see http://localhost:8025/phone", {}],
  ["simulated", { telephony: { name: "simulator", page: false } }],
  ["by Twilio", { telephony: { name: "twilio", page: false }, config: readConfig(TWILIO) }],
])("the banner says which telephony there is: %s", (words, differing) => {
  expect(bannerOf({ ...started, ...differing }).split("\n")).toContain(`  Telephony      ${words}`);
});

test("the banner's first command is one that a shell understands", () => {
  const [, command = ""] = /key:\n\n([^]*?)\n\n/.exec(bannerOf(started)) ?? [];
  expect(command.replace(/\\\n\s*/g, "").trim()).toBe(
    `curl http://localhost:8025/api/v1/onboard -H 'content-type: application/json' -d '{"username":"ada","owner_email":"you@example.com"}'`,
  );
});

test.each([
  ["http://mail.example.com", true],
  ["http://192.0.2.7:8025", true],
  ["https://mail.example.com", false],
  ["http://localhost:8025", false],
  ["http://127.0.0.1:8025", false],
])("a start with %s warns that a session can be taken over on the way: %s", (base_url, warned) => {
  const words: string[] = [];
  const note = (_fields: object, message: string) => void words.push(message);
  warn(readConfig({ BASE_URL: base_url }), base_url, { info: note, warn: note, error: note });
  expect(words.some((message) => message.startsWith("BASE_URL is not https: "))).toBe(warned);
});
