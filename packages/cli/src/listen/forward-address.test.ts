import { expect, test } from "vitest";
import { refusalOf } from "./forward-address.ts";

test.each([
  "http://localhost:3000/hook",
  "http://127.0.0.1/",
  "http://[::1]:3000/",
  "http://10.1.2.3/hook",
  "http://192.168.0.4:8080/",
  "https://example.com/hook",
  "https://1.1.1.1/hook",
])("events go to %s", async (url) => {
  expect(await refusalOf(url)).toBeUndefined();
});

test.each([
  ["http://1.1.1.1/hook", "on the public internet"],
  ["http://[2606:4700:4700::1111]/", "on the public internet"],
  ["http://no-such-host.invalid/", "can't be found"],
  ["https://ada:secret@example.com/", "user name or password"],
  ["ftp://localhost/", "no http or https URL"],
  ["localhost:3000", "no http or https URL"],
  ["/hook", "no http or https URL"],
])("events don't go to %s", async (url, says) => {
  expect(await refusalOf(url)).toContain(says);
});
