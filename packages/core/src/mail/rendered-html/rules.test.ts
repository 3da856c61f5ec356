import { describe, expect, test } from "vitest";
import { LIMITS } from "../../catalogue/limits.ts";
import { type Candidate, candidatesOf, linkOf, pictureOf } from "./rules.ts";

describe("where a link leads", () => {
  test.each<[string, string | undefined]>([
    ["https://a.example/x?y=1#z", "https://a.example/x?y=1#z"],
    ["HTTP://A.example", "http://a.example/"],
    ["https:/console/x", "https://console/x"],
    ["https:console", "https://console/"],
    ["https:\\\\a.example", "https://a.example/"],
    ["  https://a.example/\n", "https://a.example/"],
    ["ht\ntps://a.exa\tmple/", "https://a.example/"],
    ["mailto:ada@example.com?subject=Hi", "mailto:ada@example.com?subject=Hi"],
    ["tel:+14155550100", "tel:+14155550100"],
    ["sms:+14155550100", "sms:+14155550100"],
    ["#part", "#part"],
    ["", undefined],
    ["/console", undefined],
    ["//a.example/", undefined],
    ["page.html", undefined],
    ["?word=x", undefined],
    ["javascript:alert(1)", undefined],
    ["\u0001 java\nscript:alert(1)", undefined],
    ["JaVaScRiPt:alert(1)", undefined],
    ["vbscript:x", undefined],
    ["data:text/html,<script>alert(1)</script>", undefined],
    ["blob:https://a.example/x", undefined],
    ["file:///etc/passwd", undefined],
    ["ftp://a.example/", undefined],
    ["cid:part", undefined],
    ["about:blank", undefined],
    ["view-source:https://a.example/", undefined],
    ["https://", undefined],
    ["https://[", undefined],
  ])("%j: %j", (value, href) => {
    expect(linkOf(value)).toEqual(href === undefined ? undefined : { href, leaves: !href.startsWith("#") });
  });
});

describe("the picture that is named", () => {
  const attached = (url: string) => ({ kind: "attached", url });
  const remote = (url: string) => ({ kind: "remote", url });
  const written = (url: string) => ({ kind: "written", url });
  test.each<[string, unknown]>([
    ["cid:logo@x", attached("cid:logo@x")],
    ["CID:logo%40x", attached("cid:logo@x")],
    [" cid:100% ", attached("cid:100%")],
    ["cid:", undefined],
    ["data:image/png;base64,AAAA", written("data:image/png;base64,AAAA")],
    ["DATA:image/JPEG,x", written("DATA:image/JPEG,x")],
    ["data:image/svg+xml,<svg onload=alert(1)>", undefined],
    ["data:text/html,x", undefined],
    ["https://a.example/b.png", remote("https://a.example/b.png")],
    ["http://a.example/b.png?c=1#d", remote("https://a.example/b.png?c=1")],
    ["http://a.example:8080/b", remote("https://a.example:8080/b")],
    ["//a.example/b", remote("https://a.example/b")],
    ["\\\\a.example/b", remote("https://a.example/b")],
    ["https:\n//a.example/b c", remote("https://a.example/b%20c")],
    ["https://ada:secret@a.example/", undefined],
    ["https://ada@a.example/", undefined],
    ["https://", undefined],
    ["b.png", undefined],
    ["/b.png", undefined],
    ["javascript:alert(1)", undefined],
    ["blob:https://a.example/x", undefined],
    ["", undefined],
  ])("%j: %j", (value, source) => {
    expect(pictureOf(value)).toEqual(source);
  });

  test("has a URL of bounded length", () => {
    const url = (length: number) => `https://a.example/${"a".repeat(length - "https://a.example/".length)}`;
    expect(pictureOf(url(LIMITS.view_picture_url_chars))).toBeDefined();
    expect(pictureOf(url(LIMITS.view_picture_url_chars + 1))).toBeUndefined();
  });
});

describe("the candidates of a srcset", () => {
  const one = (url: string, descriptor = ""): Candidate => ({ url, descriptor });
  test.each<[string, Candidate[]]>([
    ["a.png", [one("a.png")]],
    ["a.png 1x, b.png 2x", [one("a.png", "1x"), one("b.png", "2x")]],
    ["a.png, b.png 1.5x", [one("a.png"), one("b.png", "1.5x")]],
    ["a.png,b.png 640w", [one("a.png,b.png", "640w")]],
    [" , a.png  100w ,, b.png,", [one("a.png", "100w"), one("b.png")]],
    ["data:image/png;base64,AA 2x, c.png", [one("data:image/png;base64,AA", "2x"), one("c.png")]],
    ["a.png 1x evil, b.png calc(1)", []],
    ["", []],
    [",,,", []],
  ])("%j", (srcset, candidates) => {
    expect(candidatesOf(srcset)).toEqual(candidates);
  });
});
