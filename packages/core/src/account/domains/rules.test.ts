import { describe, expect, test } from "vitest";
import { LIMITS } from "../../catalogue/limits.ts";
import type { DnsRecord } from "../../model/domain-records.ts";
import type { DomainRecord } from "../../model/domains.ts";
import { checkFree, checkSigns, judge, newAttempt, nextCheck } from "./rules.ts";

const HOUR_MS = 3600_000;
const START = new Date("2026-01-01T00:00:00.000Z");
const after = (ms: number): Date => new Date(START.getTime() + ms);
const at = (ms: number): string => after(ms).toISOString();
const code = (name: string) => expect.objectContaining({ code: name });

type Found = Partial<Record<DnsRecord["purpose"], DnsRecord["status"]>>;

const record = (
  purpose: DnsRecord["purpose"],
  status: DnsRecord["status"],
  name: string = purpose,
): DnsRecord => ({
  ...{ purpose, type: "TXT", name: `${name}._domainkey.example.com`, value: "v", priority: null },
  ...{ required: purpose === "ownership" || name === "ls-one", status, found: [], hint: null },
});

/** The records of a domain, all missing but those named. */
const records = (found: Found): DnsRecord[] =>
  (["ownership", "dkim", "mx", "spf", "return_path"] as const).map((purpose) =>
    record(purpose, found[purpose] ?? "missing", purpose === "dkim" ? "ls-one" : purpose),
  );
const ALL: Found = { ownership: "valid", dkim: "valid", mx: "valid", spf: "valid", return_path: "valid" };

const domain = (change: Partial<DomainRecord> = {}): DomainRecord => ({
  ...{ id: "dom_1", account_id: "acct_1", domain: "example.com", client_id: null, status: "pending" },
  ...{ records: [], warnings: [], mail_from_subdomain: "ls-bounce", workspace_ids: [] },
  dns: { mode: "manual", provider: null, last_error: null },
  ...{ mail: { receiving: false, sending: false }, receiving_from: null },
  ...{ checked_at: null, next_check_at: null, created_at: at(0), verified_at: null },
  ...{ dkim_selector: "ls-one", dkim_public_key: "one", sealed_dkim_key: "sealed one" },
  ...{ next_dkim_selector: null, next_dkim_public_key: null, sealed_next_dkim_key: null },
  ...{ previous_dkim_selector: null, previous_dkim_public_key: null, previous_dkim_until: null },
  ...{ sealed_dns_access: null, attempt_started_at: at(0), attempt: 1 },
  ...{ missing_since: null, ownership_missing_since: null },
  ...change,
});
const verified = (change: Partial<DomainRecord> = {}) =>
  domain({ status: "verified", verified_at: at(0), mail: { receiving: true, sending: true }, ...change });
const degraded = (change: Partial<DomainRecord> = {}) => verified({ status: "degraded", ...change });

const judged = (
  before: DomainRecord,
  found: Found,
  { ms = 0, trouble = false, holds = true, nobody_left = false, receiving_from = null as string | null } = {},
) =>
  judge(
    before,
    { records: records(found), warnings: [], trouble },
    { holds, nobody_left, receiving_from },
    after(ms),
  );

const DAY = LIMITS.domain_degraded_after_ms;
const MONTH = LIMITS.domain_released_after_ms;
const NO_DKIM: Found = { ...ALL, dkim: "missing" };
const NO_PROOF: Found = { ...ALL, ownership: "missing" };

describe("after a check", () => {
  const cases: [string, DomainRecord, Found, Parameters<typeof judged>[2], DomainRecord["status"]][] = [
    ["a domain of which nothing is found stays pending", domain(), {}, {}, "pending"],
    ["a domain of which only MX is found stays pending", domain(), { mx: "valid" }, {}, "pending"],
    [
      "a domain of which a required record is found is verifying",
      domain(),
      { dkim: "valid" },
      {},
      "verifying",
    ],
    ["one that is verifying doesn't go back", domain({ status: "verifying" }), {}, {}, "verifying"],
    [
      "a domain with all required records is verified",
      domain(),
      { ownership: "valid", dkim: "valid" },
      {},
      "verified",
    ],
    ["a wrong record is no record", domain(), { ownership: "valid", dkim: "invalid" }, {}, "verifying"],
    ["a domain that another account holds isn't verified", domain(), ALL, { holds: false }, "verifying"],
    ["trouble verifies nothing", domain(), ALL, { trouble: true }, "verifying"],
    ["72 hours without success are a failure", domain(), {}, { ms: LIMITS.domain_attempt_ms }, "failed"],
    ["a moment less is none", domain(), {}, { ms: LIMITS.domain_attempt_ms - 1 }, "pending"],
    [
      "trouble for 72 hours is a failure",
      domain(),
      {},
      { ms: LIMITS.domain_attempt_ms, trouble: true },
      "failed",
    ],
    ["success after 72 hours is one", domain(), ALL, { ms: LIMITS.domain_attempt_ms }, "verified"],
    ["a verified domain whose record is gone stays verified", verified(), NO_DKIM, {}, "verified"],
    ["for less than a day", verified({ missing_since: at(0) }), NO_DKIM, { ms: DAY - 1 }, "verified"],
    ["and is degraded then", verified({ missing_since: at(0) }), NO_DKIM, { ms: DAY }, "degraded"],
    [
      "not while there is trouble",
      verified({ missing_since: at(0) }),
      NO_DKIM,
      { ms: DAY, trouble: true },
      "verified",
    ],
    ["a degraded domain stays so", degraded({ missing_since: at(0) }), NO_DKIM, { ms: 90 * DAY }, "degraded"],
    ["until all is back", degraded({ missing_since: at(0) }), ALL, { ms: 90 * DAY }, "verified"],
    ["trouble doesn't bring it back", degraded({ missing_since: at(0) }), ALL, { trouble: true }, "degraded"],
    [
      "without proof for 30 days it is released",
      degraded({ missing_since: at(0), ownership_missing_since: at(0) }),
      NO_PROOF,
      { ms: MONTH },
      "failed",
    ],
    [
      "a moment less isn't enough",
      degraded({ missing_since: at(0), ownership_missing_since: at(0) }),
      NO_PROOF,
      { ms: MONTH - 1 },
      "degraded",
    ],
    [
      "trouble releases nothing",
      degraded({ missing_since: at(0), ownership_missing_since: at(0) }),
      NO_PROOF,
      { ms: MONTH, trouble: true },
      "degraded",
    ],
  ];
  test.each(cases)("%s", (_, before, found, how, status) => {
    const { change, released } = judged(before, found, how);
    expect(change.status).toBe(status);
    expect(released).toBe(status === "failed");
    expect(change.next_check_at === null).toBe(status === "failed");
  });

  test("the first success alone is told as one, the first day without alone as the other", () => {
    expect(judged(domain(), ALL)).toMatchObject({ verified: true, degraded: false });
    expect(judged(domain({ verified_at: at(0) }), ALL)).toMatchObject({ verified: false });
    expect(judged(degraded({ missing_since: at(0) }), ALL)).toMatchObject({ verified: false });
    const gone = { missing_since: at(0) };
    expect(judged(verified(gone), NO_DKIM, { ms: DAY })).toMatchObject({ degraded: true });
    expect(judged(degraded(gone), NO_DKIM, { ms: DAY })).toMatchObject({ degraded: false });
  });

  test("what is gone is noted with its time, and forgotten when it is back", () => {
    const gone = (before: DomainRecord, found: Found, trouble = false) => {
      const { missing_since, ownership_missing_since } = judged(before, found, {
        ms: HOUR_MS,
        trouble,
      }).change;
      return [missing_since, ownership_missing_since];
    };
    expect(gone(verified(), NO_DKIM)).toEqual([at(HOUR_MS), null]);
    expect(gone(verified(), NO_PROOF)).toEqual([at(HOUR_MS), at(HOUR_MS)]);
    expect(gone(verified(), NO_PROOF, true)).toEqual([null, null]);
    const before = { missing_since: at(0), ownership_missing_since: at(0) };
    expect(gone(degraded(before), NO_PROOF)).toEqual([at(0), at(0)]);
    expect(gone(degraded(before), NO_PROOF, true)).toEqual([at(0), at(0)]);
    expect(gone(degraded(before), ALL)).toEqual([null, null]);
    expect(gone(domain(), {})).toEqual([null, at(HOUR_MS)]);
  });

  const mail: [string, DomainRecord, Found, Parameters<typeof judged>[2], boolean, boolean][] = [
    ["all records receive and send", domain(), ALL, {}, true, true],
    ["without MX nothing comes in", domain(), { ...ALL, mx: "missing" }, {}, false, true],
    ["the return path is enough to send", domain(), { ...ALL, spf: "missing" }, {}, true, true],
    ["so is SPF", domain(), { ...ALL, return_path: "missing" }, {}, true, true],
    [
      "without both nothing goes out",
      domain(),
      { ...ALL, spf: "missing", return_path: "missing" },
      {},
      true,
      false,
    ],
    ["without the key that signs nothing goes out", verified(), NO_DKIM, {}, true, false],
    ["nothing works before it is verified", domain(), NO_DKIM, {}, false, false],
    ["nothing comes in that would leave nobody in charge", domain(), ALL, { nobody_left: true }, false, true],
    ["a degraded domain does what its records let it", degraded(), NO_PROOF, {}, true, true],
  ];
  test.each(mail)("%s", (_, before, found, how, receiving, sending) => {
    expect(judged(before, found, how).change.mail).toEqual({ receiving, sending });
  });

  test("warns of what only the account knows", () => {
    const codes = (how: Parameters<typeof judged>[2]) =>
      judged(domain(), ALL, how).change.warnings?.map((warning) => warning.code);
    expect(codes({})).toEqual([]);
    expect(codes({ holds: false })).toEqual(["domain_taken"]);
    expect(codes({ nobody_left: true })).toEqual(["owner_at_domain"]);
  });
});

describe("the next check", () => {
  const minutes: [number, number][] = [
    [0, 1],
    [0.5, 1],
    [1, 5],
    [5, 15],
    [15, 60],
    [59, 60],
    [60, 120],
    [4319, 4320],
  ];
  test.each(minutes)("of a verification, %d minutes after its begin, is due at minute %d", (now, next) => {
    const due = nextCheck(domain(), false, after(now * 60_000));
    expect(due).toEqual(after(next * 60_000));
  });

  const others: [string, DomainRecord, boolean, number | null][] = [
    ["a verified domain, a day later", verified(), false, 24 * HOUR_MS],
    ["in trouble, an hour later", verified(), true, HOUR_MS],
    ["with a record gone, an hour later", verified({ missing_since: at(0) }), false, HOUR_MS],
    ["with a key that waits, an hour later", verified({ next_dkim_selector: "ls-two" }), false, HOUR_MS],
    ["with a key to forget, then", verified({ previous_dkim_until: at(2 * HOUR_MS) }), false, 2 * HOUR_MS],
    ["with a key to forget now, in a minute", verified({ previous_dkim_until: at(0) }), false, 60_000],
    ["a failed one, never", domain({ status: "failed" }), false, null],
  ];
  test.each(others)("%s", (_, before, trouble, ms) => {
    expect(nextCheck(before, trouble, START)).toEqual(ms === null ? null : after(ms));
  });
});

describe("a rotation", () => {
  const next = {
    next_dkim_selector: "ls-two",
    next_dkim_public_key: "two",
    sealed_next_dkim_key: "sealed two",
  };
  const previous = {
    ...{ previous_dkim_selector: "ls-zero", previous_dkim_public_key: "zero" },
    previous_dkim_until: at(HOUR_MS),
  };
  const rotated = (before: DomainRecord, seen: boolean, ms = 0) => {
    const found = [...records(ALL), record("dkim", seen ? "valid" : "missing", "ls-two")];
    const standing = { holds: true, nobody_left: false, receiving_from: null };
    const { change } = judge(before, { records: found, warnings: [], trouble: false }, standing, after(ms));
    return { ...before, ...change };
  };

  test("waits until the new key is seen", () => {
    expect(rotated(verified(next), false)).toMatchObject({ dkim_selector: "ls-one", ...next });
  });

  test("signs with the new key then, and keeps the record of the old one for seven days", () => {
    expect(rotated(verified(next), true)).toMatchObject({
      ...{ dkim_selector: "ls-two", dkim_public_key: "two", sealed_dkim_key: "sealed two" },
      ...{ next_dkim_selector: null, next_dkim_public_key: null, sealed_next_dkim_key: null },
      ...{ previous_dkim_selector: "ls-one", previous_dkim_public_key: "one" },
      previous_dkim_until: at(LIMITS.dkim_kept_ms),
    });
  });

  test("forgets the old one after that", () => {
    expect(rotated(verified(previous), false, HOUR_MS - 1)).toMatchObject(previous);
    expect(rotated(verified(previous), false, HOUR_MS)).toMatchObject({ previous_dkim_selector: null });
  });

  test("lets a third key wait until then", () => {
    const both = verified({ ...next, ...previous });
    expect(rotated(both, true, HOUR_MS - 1)).toMatchObject({ dkim_selector: "ls-one" });
    expect(rotated(both, true, HOUR_MS)).toMatchObject({
      ...{ dkim_selector: "ls-two", previous_dkim_selector: "ls-one" },
    });
  });
});

test.each([
  ["pending", "pending"],
  ["verifying", "pending"],
  ["failed", "pending"],
  ["verified", "verified"],
  ["degraded", "degraded"],
] as const)("a verification that begins anew on a %s domain finds it %s", (status, begun) => {
  expect(newAttempt({ status }, START)).toEqual({
    ...{ status: begun, attempt_started_at: at(0), next_check_at: at(0) },
  });
});

test.each([
  ["nobody's", undefined, true],
  ["its own", { account_id: "acct_1", status: "verified" }, true],
  ["another's that only proved it", { account_id: "acct_2", status: "verifying" }, true],
  ["another's that is verified", { account_id: "acct_2", status: "verified" }, false],
  ["another's that is degraded", { account_id: "acct_2", status: "degraded" }, false],
] as const)("a domain that is %s may be added or not", (_, holder, free) => {
  const check = () => checkFree(holder, "acct_1");
  if (free) return expect(check).not.toThrow();
  expect(check).toThrow(code("domain_taken"));
});

test("only a domain that was verified has keys that sign", () => {
  for (const status of ["verified", "degraded"] as const) expect(() => checkSigns({ status })).not.toThrow();
  for (const status of ["pending", "verifying", "failed"] as const)
    expect(() => checkSigns({ status })).toThrow(code("domain_not_verified"));
});
