import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDns, createSenderAuth, createSmtpListener } from "../packages/adapter-smtp/src/index.ts";
import { startDnsServer, type Zone } from "../packages/adapter-smtp/test/dns-server.ts";
import { acceptsRecipient } from "../packages/core/internal/index.ts";
import { LIMITS } from "../packages/core/src/catalogue/limits.ts";
import { count as countUp } from "../packages/core/src/kernel/rate.ts";
import { sweepExpired } from "../packages/core/src/sweep.ts";
import { createTestService, provenDomain, type TestAccount } from "../packages/core/testing/index.ts";
import { createReportReader } from "../packages/text-extraction/src/index.ts";
import { zipOf } from "../packages/text-extraction/test/zip.ts";
import { casesOf } from "./support/case-count.ts";
import { createMailDomain } from "./support/mail-domain.ts";
import { sendBySmtp } from "./support/smtp.ts";

const DAY_MS = 24 * 3600_000;
const REPORTS = "dmarc-reports@letterslot.localhost";
const OURS = "agents.example.com";
const REPORTER = "noreply@reports.google.example";

const reporter = createMailDomain("reports.google.example");
const other = createMailDomain("evil.example");
/** Who sends nothing from here: only a signature of its own would prove it. */
const FORGED = "noreply@bank.example";
/** More organisations than it takes to use up a day's further reports of all. */
const strangers = Array.from(
  { length: LIMITS.domain_reports_per_day / LIMITS.domain_reports_per_reporter_day + 2 },
  (_, nth) => createMailDomain(`stranger${nth}.example`),
);
const zone: Zone = {
  ...Object.assign({}, reporter.zone, other.zone, ...strangers.map((each) => each.zone)),
  ...{ "TXT bank.example": ["v=spf1 -all"] },
  "TXT _dmarc.bank.example": ["v=DMARC1; p=reject"],
};
const reader = createReportReader();
let files_read = 0;
const undo: (() => unknown)[] = [reader.close];

const dns = await startDnsServer(zone);
undo.push(dns.close);
const service = createTestService({
  senderAuth: createSenderAuth({ dns: createDns({ server: dns.server }) }),
  reportReader: {
    read(bytes) {
      files_read += 1;
      return reader.read(bytes);
    },
  },
});
let account: TestAccount;
let domain_id: string;
let port: number;
let sent = 0;

beforeAll(async () => {
  const listener = await createSmtpListener({
    ...{ host: "127.0.0.1", port: 0 },
    accept: (recipient) => acceptsRecipient(service.letterslot.services, recipient),
    receive: (mail) => service.letterslot.receive({ ...mail, origin: "smtp" }),
  });
  undo.push(() => listener.close());
  port = listener.port;
  account = await service.signUp("ada");
});
afterAll(async () => {
  for (const step of undo.toReversed()) await step();
});
beforeEach(async () => {
  const { storage } = service.letterslot.services;
  const before = await storage.find("domains", { where: { account_id: account.account_id }, limit: 1 });
  domain_id =
    before[0]?.id ??
    (await provenDomain(service.letterslot.services, account.account_id, { domain: OURS })).id;
  const reports = await storage.find("domain_reports", { where: { domain_id }, limit: 500 });
  if (reports.length > 0) await storage.delete("domain_reports", { id: { in: reports.map(({ id }) => id) } });
  await service.clock.advance(DAY_MS);
});

const seconds = (time: number) => Math.floor(time / 1000);

/** One row of a DMARC aggregate. */
const row = ({ ip = "192.0.2.7", count = "12", dkim = "pass", spf = "fail", disposition = "none" } = {}) =>
  `<record><row><source_ip>${ip}</source_ip><count>${count}</count><policy_evaluated><disposition>${disposition}</disposition><dkim>${dkim}</dkim><spf>${spf}</spf></policy_evaluated></row><identifiers><header_from>${OURS}</header_from></identifiers><auth_results><spf><domain>${OURS}</domain><result>fail</result></spf></auth_results></record>`;

/** A DMARC aggregate (RFC 9990) about yesterday. */
function aggregate({ id = "r-1", domain = OURS, rows = row(), before = "", days = 1 } = {}): string {
  const now = service.clock.now().getTime();
  const range = `<date_range><begin>${seconds(now - days * DAY_MS)}</begin><end>${seconds(now)}</end></date_range>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${before}<feedback><report_metadata><org_name>google.com</org_name><email>noreply@google.com</email><report_id>${id}</report_id>${range}</report_metadata><policy_published><domain>${domain}</domain><p>none</p></policy_published>${rows}</feedback>`;
}

interface Sending {
  content: string | Buffer;
  filename?: string;
  contentType?: string;
  from?: string;
  by?: typeof reporter;
  to?: string | string[];
}

/** Sends a report by real SMTP, signed by the domain that is given; returns the server's status. */
async function send({
  content,
  filename = "report.xml.gz",
  contentType,
  from = REPORTER,
  by = reporter,
  to = REPORTS,
}: Sending) {
  sent += 1;
  const raw = await by.sign({
    ...{ from, to: REPORTS, subject: `Report Domain: ${OURS}`, text: "A report.\n" },
    message_id: `<${sent}@reports.google.example>`,
    attachments: [{ filename, content, ...(contentType === undefined ? {} : { contentType }) }],
  });
  return sendBySmtp(port, { raw, from, to });
}

const listed = async () => (await account.as.domains.reports({ domain_id })).data;

describe("a signed report", () => {
  test.each([
    ["gzip", "google.com!agents.xml.gz", (xml: string) => gzipSync(xml)],
    ["zip", "google.com!agents.zip", (xml: string) => zipOf([{ name: "report.xml", data: xml }])],
    ["plain", "report.xml", (xml: string) => Buffer.from(xml)],
  ])("in %s is shown as told by the domain that passes DMARC", async (_, filename, packed) => {
    const content = packed(aggregate({ rows: row() + row({ ip: "2001:db8::1", count: "1", spf: "pass" }) }));
    expect(await send({ content, filename })).toBe(250);
    const now = service.clock.now();
    expect(await listed()).toEqual([
      {
        ...{ object: "domain_report", id: expect.stringMatching(/^rep_/), domain_id, kind: "dmarc" },
        // What the report says of itself (google.com) proves nothing.
        reporter: "reports.google.example",
        period: {
          from: new Date(seconds(now.getTime() - DAY_MS) * 1000).toISOString(),
          to: new Date(seconds(now.getTime()) * 1000).toISOString(),
        },
        sources: [
          { ip: "192.0.2.7", count: 12, dkim: "pass", spf: "fail", disposition: "none" },
          { ip: "2001:db8::1", count: 1, dkim: "pass", spf: "pass", disposition: "none" },
        ],
        ...{ sources_left_out: 0, tls: null, created_at: now.toISOString() },
      },
    ]);
    expect((await account.as.messages.list({ inbox_id: account.inbox.id })).data).toEqual([]);
  });

  test("about TLS is shown with how connections failed", async () => {
    const now = service.clock.now().getTime();
    const json = JSON.stringify({
      "organization-name": "Google",
      "date-range": {
        "start-datetime": new Date(now - DAY_MS).toISOString(),
        "end-datetime": new Date(now).toISOString(),
      },
      "contact-info": "smtp-tls-reporting@google.example",
      "report-id": "tls-1",
      policies: [
        {
          policy: { "policy-type": "sts", "policy-domain": OURS },
          summary: { "total-successful-session-count": 40, "total-failure-session-count": 3 },
          "failure-details": [
            { "result-type": "certificate-expired", "failed-session-count": 2 },
            { "result-type": "certificate-expired", "failed-session-count": 1 },
          ],
        },
      ],
    });
    const content = gzipSync(json);
    await send({ content, filename: "r.json.gz", contentType: "application/tlsrpt+gzip" });
    expect(await listed()).toMatchObject([
      {
        ...{ kind: "tls", sources: [] },
        tls: { successful: 40, failed: 3, failures: [{ type: "certificate-expired", count: 3 }] },
      },
    ]);
    expect((await account.as.domains.reports({ domain_id, kind: "dmarc" })).data).toEqual([]);
  });

  test("that comes again is kept once, also at the same time", async () => {
    const content = gzipSync(aggregate());
    await Promise.all([send({ content }), send({ content })]);
    await send({ content: gzipSync(aggregate({ rows: row({ count: "99" }) })) });
    expect(await listed()).toHaveLength(1);
    await send({ content: gzipSync(aggregate({ id: "r-2" })) });
    expect(await listed()).toHaveLength(2);
    const first = await account.as.domains.reports({ domain_id, limit: 1 });
    expect(first).toMatchObject({ data: [{ reporter: "reports.google.example" }], has_more: true });
  });

  test("is kept for 90 days, and goes with its domain", async () => {
    await send({ content: gzipSync(aggregate()) });
    expect(await listed()).toHaveLength(1);
    await service.clock.advance(LIMITS.domain_reports_kept_ms + 1);
    await sweepExpired(service.letterslot.services);
    expect(await listed()).toEqual([]);
    await send({ content: gzipSync(aggregate()) });
    const { storage } = service.letterslot.services;
    expect(await storage.find("domain_reports", { where: { domain_id }, limit: 1 })).toHaveLength(1);
    await account.as.domains.delete({ domain_id });
    expect(await storage.find("domain_reports", { where: { domain_id }, limit: 1 })).toEqual([]);
  });

  test("has bounds: sources of one, reports of a reporter a day", async () => {
    const rows = Array.from({ length: LIMITS.domain_report_sources + 2 }, (_, nth) =>
      row({ ip: `10.${nth % 7}.${nth % 251}.${(nth * 7) % 253}`, count: `${((nth * 7919) % 99_991) + 1}` }),
    ).join("");
    await send({ content: gzipSync(aggregate({ rows })) });
    const [report] = await listed();
    expect([report?.sources.length, report?.sources_left_out]).toEqual([LIMITS.domain_report_sources, 2]);
    const statuses: unknown[] = [];
    for (let nth = 1; nth <= LIMITS.domain_reports_per_reporter_day; nth++)
      statuses.push(await send({ content: gzipSync(aggregate({ id: `day-${nth}` })) }));
    expect(await listed()).toHaveLength(LIMITS.domain_reports_per_reporter_day);
    // The one above is to come again, and is kept then.
    expect([new Set(statuses.slice(0, -1)), statuses.at(-1)]).toEqual([new Set([250]), 451]);
    // Others still are heard.
    const by = { by: other, from: "reports@evil.example" };
    await send({ content: gzipSync(aggregate({ id: "theirs" })), ...by });
    expect((await listed())[0]).toMatchObject({ reporter: "evil.example" });
    await service.clock.advance(DAY_MS);
    expect(await send({ content: gzipSync(aggregate({ id: "again" })) })).toBe(250);
    expect((await listed())[0]).toMatchObject({ reporter: "reports.google.example" });
  }, 60_000);

  test.runIf(casesOf(false, true))(
    "is kept however many reports a few strangers send",
    async () => {
      for (const [nth, by] of strangers.entries()) {
        const from = `reports@stranger${nth}.example`;
        for (let of_them = 0; of_them < LIMITS.domain_reports_per_reporter_day; of_them++)
          await send({ content: gzipSync(aggregate({ id: `s-${of_them}` })), by, from });
      }
      const { storage } = service.letterslot.services;
      const kept = await storage.find("domain_reports", { where: { domain_id }, limit: 500 });
      expect(kept).toHaveLength(LIMITS.domain_reports_per_day + strangers.length);
      expect(await send({ content: gzipSync(aggregate()) })).toBe(250);
      expect((await listed())[0]).toMatchObject({ reporter: "reports.google.example" });
      expect(await send({ content: gzipSync(aggregate({ id: "second" })) })).toBe(451);
      await service.clock.advance(DAY_MS);
      expect(await send({ content: gzipSync(aggregate({ id: "second" })) })).toBe(250);
    },
    120_000,
  );

  test("of a host of many people is told by its own name, and isn't taken for another's", async () => {
    for (const name of ["evil.duckdns.org", "good.duckdns.org"]) {
      const by = createMailDomain(name);
      Object.assign(zone, by.zone);
      const from = `reports@${name}`;
      expect(await send({ content: gzipSync(aggregate()), by, from })).toBe(250);
    }
    expect((await listed()).map((report) => report.reporter)).toEqual([
      "good.duckdns.org",
      "evil.duckdns.org",
    ]);
  });

  test("has elements without content, which close themselves", async () => {
    const rows = row().replace("</policy_evaluated>", "<reason><comment/></reason>$&");
    const empty = rows.replace("<auth_results>", "$&<dkim/><dkim />");
    await send({ content: gzipSync(aggregate({ rows: rows + empty })) });
    expect((await listed())[0]?.sources).toMatchObject([{ count: 12 }, { count: 12 }]);
  });

  test("is read once, however many of the mail's recipients take reports", async () => {
    const before = files_read;
    const to = Array.from({ length: 5 }, (_, nth) => REPORTS.replace("@", `+${nth}@`));
    expect(await send({ content: gzipSync(aggregate()), to })).toBe(250);
    expect(files_read - before).toBe(1);
    expect(await listed()).toHaveLength(1);
  });

  test("beyond the files that are read of an organisation in an hour is to come again", async () => {
    const { storage } = service.letterslot.services;
    const max = LIMITS.domain_report_files_per_hour;
    const cap = { name: "domain-report-files:google.example", max, window_ms: 3600_000 };
    await countUp(storage, cap, service.clock.now(), max);
    const before = files_read;
    expect(await send({ content: gzipSync(aggregate()) })).toBe(451);
    expect(files_read).toBe(before);
    await service.clock.advance(3600_000);
    expect(await send({ content: gzipSync(aggregate()) })).toBe(250);
    expect(await listed()).toHaveLength(1);
  });

  test("is to come again when a DNS error left open who sent it", async () => {
    const by = createMailDomain("slow.example");
    const from = "reports@slow.example";
    const failing = Object.keys(by.zone).map((name) => [name, "servfail"] as const);
    Object.assign(zone, Object.fromEntries(failing));
    const content = gzipSync(aggregate());
    expect(await send({ content, by, from })).toBe(451);
    expect(await listed()).toEqual([]);
    Object.assign(zone, by.zone);
    await service.clock.advance(3600_000);
    expect(await send({ content, by, from })).toBe(250);
    expect(await listed()).toMatchObject([{ reporter: "slow.example" }]);
  });
});

const LAUGHS = `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from(
  { length: 9 },
  (_, nth) => `<!ENTITY lol${nth + 1} "${`&lol${nth === 0 ? "" : nth};`.repeat(10)}">`,
).join("")}]>`;

describe("nothing is kept of", () => {
  const hostile: [what: string, sending: () => Sending][] = [
    ["a billion laughs", () => ({ content: gzipSync(aggregate({ before: LAUGHS, id: "&lol9;" })) })],
    ["a gzip bomb", () => ({ content: gzipSync(Buffer.alloc(200 * 1024 * 1024, 32)) })],
    [
      "a zip bomb",
      () => ({ content: zipOf([{ name: "report.xml", data: " ".repeat(100_000_000) }]), filename: "r.zip" }),
    ],
    [
      "a zip in a zip",
      () => ({
        content: zipOf([{ name: "r.zip", data: zipOf([{ name: "r.xml", data: aggregate() }]) }]),
        filename: "r.zip",
      }),
    ],
    [
      "a zip of two reports",
      () => ({
        content: zipOf([
          { name: "a.xml", data: aggregate() },
          { name: "b.xml", data: aggregate() },
        ]),
        filename: "r.zip",
      }),
    ],
    [
      "ten megabytes of XML",
      () => ({ content: aggregate({ rows: row().repeat(24_000) }), filename: "r.xml" }),
    ],
    [
      "a report about a domain of nobody here",
      () => ({ content: gzipSync(aggregate({ domain: "bank.example" })) }),
    ],
    ["a report about a name below", () => ({ content: gzipSync(aggregate({ domain: `a.${OURS}` })) })],
    ["a forged reporter", () => ({ content: gzipSync(aggregate()), by: other, from: FORGED })],
    ["a negative count", () => ({ content: gzipSync(aggregate({ rows: row({ count: "-1" }) })) })],
    ["an endless count", () => ({ content: gzipSync(aggregate({ rows: row({ count: "9".repeat(30) }) })) })],
    ["a count that is none", () => ({ content: gzipSync(aggregate({ rows: row({ count: "1e3" }) })) })],
    ["an address that is none", () => ({ content: gzipSync(aggregate({ rows: row({ ip: "<b>1</b>" }) })) })],
    ["an unknown result", () => ({ content: gzipSync(aggregate({ rows: row({ dkim: "maybe" }) })) })],
    ["a report of a year", () => ({ content: gzipSync(aggregate({ days: 365 })) })],
    ["an element that never ends", () => ({ content: gzipSync(aggregate({ rows: `${row()}<a><b></a>` })) })],
    ["XML that breaks off", () => ({ content: gzipSync(aggregate().slice(0, -40)) })],
    ["deep XML", () => ({ content: gzipSync("<feedback>".repeat(100_000)) })],
    ["noise", () => ({ content: Buffer.alloc(2_000, 7) })],
    ["half a gzip", () => ({ content: gzipSync(aggregate()).subarray(0, 60) })],
    ["deep JSON", () => ({ content: gzipSync(`{"a":${"[".repeat(200_000)}`), filename: "r.json.gz" })],
  ];
  test.each(hostile)(
    "%s, and the next report is read",
    async (_, sending) => {
      expect(await send(sending())).toBe(250);
      expect(await listed()).toEqual([]);
      await send({ content: gzipSync(aggregate()) });
      expect(await listed()).toHaveLength(1);
    },
    30_000,
  );

  test("what stands after a gzip", async () => {
    await send({
      content: Buffer.concat([gzipSync(aggregate()), Buffer.from("<feedback>trailing garbage")]),
    });
    const kept = await listed();
    expect(kept.length).toBeLessThanOrEqual(1);
    expect(JSON.stringify(kept)).not.toContain("garbage");
  });
});

test("an agent's own mail reports nothing, and another account sees none", async () => {
  await send({ content: gzipSync(aggregate()) });
  expect(await listed()).toHaveLength(1);
  await account.as.messages.send({
    ...{ inbox_id: account.inbox.id, to: [REPORTS], subject: "Report", text: "r" },
    attachments: [
      { filename: "r.xml.gz", content_base64: gzipSync(aggregate({ id: "mine" })).toString("base64") },
    ],
  });
  await service.work();
  expect(await listed()).toHaveLength(1);
  const eve = await service.signUp("eve");
  await expect(eve.as.domains.reports({ domain_id })).rejects.toMatchObject({ code: "domain_not_found" });
  await expect(eve.as.inboxes.create({ username: "dmarc-reports" })).rejects.toMatchObject({
    code: "username_reserved",
  });
});
