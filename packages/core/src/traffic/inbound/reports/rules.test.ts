import { describe, expect, test } from "vitest";
import { isPlausible, isReportsName, mayBeReport, mayPassLater, reporterAddress } from "./rules.ts";

test.each([
  ["dmarc-reports@mail.example", true],
  ["DMARC-Reports@mail.example", true],
  ["dmarc-reports+a@mail.example", true],
  ["dmarc@mail.example", false],
  ["dmarc-reports", false],
])("%s takes reports: %s", (address, takes) => expect(isReportsName(address)).toBe(takes));

describe("a reporter", () => {
  const from = [{ address: "noreply@reporter.example", name: "" }];
  test.each([
    ["the author of mail that passes DMARC", { origin: "smtp", dmarc: "pass", from }, from[0]?.address],
    ["the same by the internal path", { origin: "internal_path", dmarc: "pass", from }, from[0]?.address],
    ["nobody without a pass", { origin: "smtp", dmarc: "fail", from }, undefined],
    ["nobody without a policy", { origin: "smtp", dmarc: "none", from }, undefined],
    ["no inbox of this service", { origin: "internal", dmarc: "pass", from }, undefined],
    ["no injected mail", { origin: "injected", dmarc: "pass", from }, undefined],
    [
      "nobody where there are two authors",
      { origin: "smtp", dmarc: "pass", from: [...from, ...from] },
      undefined,
    ],
    ["nobody where there is none", { origin: "smtp", dmarc: "pass", from: [] }, undefined],
  ] as const)("is %s", (_, facts, reporter) => expect(reporterAddress(facts)).toBe(reporter));
});

describe("a mail with reports", () => {
  const from = [{ address: "noreply@reporter.example", name: "" }];
  const open = { spf: "fail", dkim: "temperror", dmarc: "temperror" };
  const failed = { spf: "fail", dkim: "fail", dmarc: "fail" };
  test.each([
    ["may pass later after a DNS error for a key", { origin: "smtp", authentication: open, from }, true],
    ["after one for SPF", { origin: "smtp", authentication: { ...failed, spf: "temperror" }, from }, true],
    [
      "after one for the policy",
      { origin: "smtp", authentication: { ...failed, dmarc: "temperror" }, from },
      true,
    ],
    ["passes now", { origin: "smtp", authentication: { ...open, dmarc: "pass" }, from }, false],
    ["fails", { origin: "smtp", authentication: failed, from }, false],
    ["never passes without an author", { origin: "smtp", authentication: open, from: [] }, false],
    ["never passes from an inbox of this service", { origin: "internal", authentication: open, from }, false],
  ] as const)("%s", (_, facts, may) => expect(mayPassLater(facts)).toBe(may));
});

test.each([
  ["report.xml.gz", "application/gzip", true],
  ["x", "application/tlsrpt+gzip", true],
  ["x", "text/xml", true],
  ["report.ZIP", "application/x", true],
  ["logo.png", "image/png", false],
  ["note.txt", "text/plain", false],
])("%s as %s may be a report: %s", (filename, content_type, may) =>
  expect(mayBeReport({ filename, content_type })).toBe(may),
);

describe("a period", () => {
  const now = Date.parse("2026-03-10T12:00:00Z");
  const kept_ms = 90 * 24 * 3600_000;
  test.each([
    ["of a day", "2026-03-09T00:00:00Z", "2026-03-09T23:59:59Z", true],
    ["of a moment", "2026-03-09T00:00:00Z", "2026-03-09T00:00:00Z", true],
    ["that ends before it begins", "2026-03-09T00:00:00Z", "2026-03-08T00:00:00Z", false],
    ["of a month and more", "2026-02-01T00:00:00Z", "2026-03-09T00:00:00Z", false],
    ["long ago", "2025-11-01T00:00:00Z", "2025-11-02T00:00:00Z", false],
    ["ahead", "2026-03-11T00:00:00Z", "2026-03-12T00:00:00Z", false],
  ])("%s", (_, from, to, plausible) =>
    expect(isPlausible({ period: { from, to } }, { now, kept_ms })).toBe(plausible),
  );
});
