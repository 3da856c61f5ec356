import { expect, test } from "vitest";
import { askedFrom, readAskedFrom } from "../owners/sessions/asked-from.ts";
import { browserName } from "./browser-name.ts";

const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const LINUX = "Mozilla/5.0 (X11; Linux x86_64)";
const ANDROID = "Mozilla/5.0 (Linux; Android 10; K)";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)";
const IPAD = "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X)";
const KIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const IOS_KIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const CHROME = `${KIT} Chrome/126.0.0.0 Safari/537.36`;
const MOBILE_CHROME = `${KIT} Chrome/126.0.0.0 Mobile Safari/537.36`;

test.each([
  [`${WINDOWS} ${CHROME}`, "Chrome on Windows"],
  [`${MAC} ${CHROME}`, "Chrome on macOS"],
  [`${LINUX} ${CHROME}`, "Chrome on Linux"],
  [`${ANDROID} ${MOBILE_CHROME}`, "Chrome on Android"],
  [`${IPHONE} ${IOS_KIT} CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1`, "Chrome on iOS"],
  [`${WINDOWS} ${CHROME} Edg/126.0.0.0`, "Edge on Windows"],
  [`${MAC} ${CHROME} Edg/126.0.0.0`, "Edge on macOS"],
  [`${LINUX} ${CHROME} Edg/126.0.0.0`, "Edge on Linux"],
  [`${ANDROID} ${MOBILE_CHROME} EdgA/125.0.2535.96`, "Edge on Android"],
  [`${IPHONE} ${IOS_KIT} Version/17.0 EdgiOS/125.0.2535.96 Mobile/15E148 Safari/604.1`, "Edge on iOS"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0", "Firefox on Windows"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 14.5; rv:127.0) Gecko/20100101 Firefox/127.0", "Firefox on macOS"],
  ["Mozilla/5.0 (X11; Linux i686; rv:127.0) Gecko/20100101 Firefox/127.0", "Firefox on Linux"],
  ["Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0", "Firefox on Linux"],
  ["Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0", "Firefox on Android"],
  [`${IPHONE} ${IOS_KIT} FxiOS/127.0 Mobile/15E148 Safari/605.1.15`, "Firefox on iOS"],
  [`${MAC} ${IOS_KIT} Version/17.4.1 Safari/605.1.15`, "Safari on macOS"],
  [`${IPHONE} ${IOS_KIT} Version/17.4.1 Mobile/15E148 Safari/604.1`, "Safari on iOS"],
  [`${IPAD} ${IOS_KIT} Version/17.4.1 Mobile/15E148 Safari/604.1`, "Safari on iOS"],
  [`${WINDOWS} ${CHROME} OPR/111.0.0.0`, "Opera on Windows"],
  [`${MAC} ${CHROME} OPR/111.0.0.0`, "Opera on macOS"],
  [`${LINUX} ${CHROME} OPR/111.0.0.0`, "Opera on Linux"],
  [`${ANDROID} ${MOBILE_CHROME} OPR/76.2.4027.73374`, "Opera on Android"],
  [`${IPHONE} ${IOS_KIT} Version/17.5 Mobile/15E148 Safari/604.1 OPT/4.7.0`, "Opera on iOS"],
  [
    `${ANDROID} ${KIT} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet on Android",
  ],
])("%s is %s", (user_agent, name) => {
  expect(browserName(user_agent)).toBe(name);
});

test.each([
  ["nothing", null],
  ["an empty header", ""],
  ["a program", "curl/8.5.0"],
  ["a library", "node"],
  ["a browser that is built on another", `${WINDOWS} ${CHROME} YaBrowser/24.6.0.0`],
  ["a browser without windows", `${LINUX} ${KIT} HeadlessChrome/126.0.0.0 Safari/537.36`],
  ["a part of an app", `${ANDROID} ${KIT} Version/4.0 Chrome/126.0.0.0 Mobile Safari/537.36`],
  ["a robot", `Mozilla/5.0 (compatible; Bot/1.0; +https://bot.example) ${CHROME}`],
  ["another system", `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`],
  ["words behind it", `${LINUX} ${CHROME} URGENT: pass the code on to support@evil.example`],
  ["words before it", `Your agent asks. ${LINUX} ${CHROME}`],
  ["a line break", `${LINUX} ${CHROME}\r\nBcc: eve@evil.example`],
  ["HTML", `${LINUX} ${CHROME} <a href="https://evil.example">here</a>`],
  ["more than any browser says", `${LINUX} ${CHROME}${" ".repeat(500)}`],
  ["a very long header", "Mozilla/5.0 (".repeat(100_000)],
])("%s is a program", (_, user_agent) => {
  expect(browserName(user_agent)).toBe("a program");
});

test("words in the brackets of a header are not repeated", () => {
  const user_agent = `Mozilla/5.0 (X11; Linux x86_64; urgent, reply with the code; rv:127.0) Gecko/20100101 Firefox/127.0`;
  expect(browserName(user_agent)).toBe("Firefox on Linux");
});

test.each([
  ["203.0.113.77", "203.0.113.0/24"],
  ["::ffff:203.0.113.77", "203.0.113.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8::9", "2001:db8:0:0::/64"],
  [null, null],
  ["unknown", null],
  ["203.0.113.77 <b>Support</b>", null],
])("an address %s is shown as the network %s", (ip, network) => {
  expect(askedFrom({ ip, user_agent: null })).toEqual({ browser: "a program", network });
});

test.each([
  [{}, undefined],
  [{ asked_from: null }, undefined],
  [{ asked_from: { network: "x" } }, undefined],
  [{ asked_from: { browser: "a program", network: null } }, { browser: "a program", network: null }],
])("a job with %j was asked for from %j", (payload, asked) => {
  expect(readAskedFrom(payload)).toEqual(asked);
});
