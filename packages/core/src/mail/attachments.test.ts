import { describe, expect, test } from "vitest";
import { downloadHeaders, filenameParameters, servedType, textHeaders, textKind } from "./attachments.ts";

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
  ] as const)(
    "%s, stored %s, forced %j, is served as %s %s",
    (content_type, disposition, forced, type, shown) => {
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
    },
  );

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
    ["..", 'filename="attachment"'],
    ["gpj.\u202eexe", "filename=\"gpj._exe\"; filename*=UTF-8''gpj.%E2%80%AEexe"],
    ["a\u200b\u2028b", "filename=\"a__b\"; filename*=UTF-8''a%E2%80%8B%E2%80%A8b"],
    ["  spaces around  ", 'filename="  spaces around  "'],
    ["Bo's 'plan'; (1) <2> %20 *.txt", `filename="Bo's 'plan'; (1) <2> %20 *.txt"`],
    ["\u0085\u009f\u007f\u0001x", 'filename="x"'],
  ])("the name %j becomes %s", (filename, parameters) => {
    expect(filenameParameters(filename)).toBe(parameters);
  });
});

describe("the text of attachments", () => {
  test.each([
    ["text/plain", "a", "text"],
    ["text/markdown; charset=utf-8", "a.md", "text"],
    ["TEXT/HTML", "a", "html"],
    ["application/json", "a", "text"],
    ["application/ld+json", "a", "text"],
    ["application/csv", "a", "text"],
    ["application/pdf", "a", "pdf"],
    ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "a", "docx"],
    ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "a", "xlsx"],
    ["application/vnd.ms-word.document.macroEnabled.12", "a.docm", "docx"],
    ["application/vnd.ms-excel.sheet.binary.macroEnabled.12", "a.xlsb", "xlsx"],
    ["application/octet-stream", "a.dotx", "docx"],
    ["application/octet-stream", "a.XLSM", "xlsx"],
    ["application/vnd.ms-excel", "a.xls", "xls"],
    ["application/vnd.ms-excel", "a.CSV", "text"],
    ["application/octet-stream", "a.PDF", "pdf"],
    ["", "a.docx", "docx"],
    ["application/octet-stream", "a.exe", null],
    ["application/octet-stream", "pdf", null],
    ["application/octet-stream", "a.constructor", null],
    ["image/png", "a.pdf", null],
    ["application/msword", "a.doc", null],
    ["application/zip", "a.zip", null],
    ["constructor", "a", null],
  ])("%s named %s is read as %s", (content_type, filename, kind) => {
    expect(textKind({ content_type, filename })).toBe(kind);
  });

  test("headers say what is missing from the text", () => {
    expect(textHeaders("a.pdf", { text: "a", truncated: true })).toMatchObject({
      "x-svc-text-truncated": "1",
    });
    expect(textHeaders("a.pdf", { text: "", truncated: false })).toMatchObject({ "x-svc-text-empty": "1" });
    expect(
      Object.keys(textHeaders("a.pdf", { text: "a", truncated: false })).filter((name) =>
        name.startsWith("x-svc"),
      ),
    ).toEqual([]);
  });
});
