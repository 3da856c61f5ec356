import { describe, expect, test } from "vitest";
import { downloadHeaders, filenameParameters, servedType } from "./rules.ts";

describe("downloads", () => {
  test.each([
    ["image/png", "inline", false, "image/png", "inline"],
    ["image/png", "inline", true, "image/png", "attachment"],
    ["image/png", "attachment", false, "image/png", "attachment"],
    ["audio/mpeg", "inline", false, "audio/mpeg", "inline"],
    ["video/mp4", "inline", false, "video/mp4", "inline"],
    ["application/pdf", "inline", false, "application/pdf", "attachment"],
    ["text/html", "inline", false, "application/octet-stream", "attachment"],
    ["image/svg+xml", "inline", false, "application/octet-stream", "attachment"],
  ] as const)("%s, stored %s, forced %j, is served as %s %s", (content_type, disposition, forced, type, shown) => {
    const headers = downloadHeaders({ filename: "a.bin", content_type, disposition }, forced);
    expect(headers["Content-Type"]).toBe(type);
    expect(headers["Content-Disposition"]).toBe(`${shown}; filename="a.bin"`);
    expect(headers).toMatchObject({
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
      "X-Frame-Options": "DENY",
      "Referrer-Policy": "no-referrer",
      "Cache-Control": "private",
    });
    expect(headers).not.toHaveProperty("Cross-Origin-Resource-Policy");
  });

  test.each([
    ["TEXT/HTML; charset=utf-8", "application/octet-stream"],
    ["application/xhtml+xml", "application/octet-stream"],
    ["text/xml", "application/octet-stream"],
    ["application/xml", "application/octet-stream"],
    ["application/javascript", "application/octet-stream"],
    ["text/javascript", "application/octet-stream"],
    ["application/atom+xml", "application/octet-stream"],
    ["text/plain\r\nX-Evil: 1", "application/octet-stream"],
    ["nonsense", "application/octet-stream"],
    ["", "application/octet-stream"],
    ["text/csv", "text/csv"],
  ])("%j is served as %s", (stored, served) => {
    expect(servedType(stored)).toBe(served);
  });

  test.each([
    ["report.pdf", 'filename="report.pdf"'],
    ['a"b\\c/d.txt', 'filename="abcd.txt"'],
    ["a\r\nSet-Cookie: x.txt", 'filename="aSet-Cookie: x.txt"'],
    ["../../etc/passwd", 'filename="....etcpasswd"'],
    ["", 'filename="attachment"'],
    ["naïve (1).txt", "filename=\"na_ve (1).txt\"; filename*=UTF-8''na%C3%AFve%20%281%29.txt"],
    ["gpj.\u202eexe", 'filename="gpj.exe"'],
  ])("the name %j becomes %s", (filename, parameters) => {
    expect(filenameParameters(filename)).toBe(parameters);
  });
});
