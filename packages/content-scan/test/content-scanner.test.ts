import { contentScannerKit } from "@letterslot/core/conformance";
import { LIMITS } from "@letterslot/core/ports";
import { afterAll, describe, expect, test } from "vitest";
import { createContentScanner } from "../src/index.ts";

const fingerprintKey = new Uint8Array(32).fill(7);
const IBAN = "DE89370400440532013000";

describe("the scanner", () => {
  contentScannerKit({
    test,
    async open() {
      const scanner = createContentScanner({ fingerprintKey, deadlineMs: 20_000 });
      return { scanner, close: () => scanner.close() };
    },
  });
});

describe("its threads", () => {
  const scanner = createContentScanner({ fingerprintKey, threads: 1 });
  afterAll(() => scanner.close());

  test("end with their time; what they had not scanned is unscanned, and the next mail gets a new one", async () => {
    const hurried = createContentScanner({ fingerprintKey, threads: 1, deadlineMs: 5 });
    const parts = ["a", "b", "c", "d"].map((name) => ({
      name,
      text: "card 4111 1111 1111 1112 ".repeat(20_000),
    }));
    const { unscanned } = await hurried.scan(parts);
    expect(unscanned.length).toBeGreaterThan(0);
    await hurried.close();
    expect(await scanner.scan([{ name: "text", text: IBAN }])).toMatchObject({
      findings: [{ kind: "iban" }],
    });
  });

  test("tell what they found before a text that takes too long", async () => {
    const hurried = createContentScanner({ fingerprintKey, threads: 1, deadlineMs: 1_000 });
    const subject = { name: "subject", text: IBAN };
    // Starting a thread may take longer than the deadline.
    while ((await hurried.scan([subject])).findings.length === 0);
    const long = { name: "long", text: "card 4111 1111 1111 1112 ".repeat(38_000) };
    const { findings } = await hurried.scan([subject, long, long]);
    expect(findings).toMatchObject([{ kind: "iban", part: "subject" }]);
    await hurried.close();
  });

  test("leave the event loop free", async () => {
    const [own, all] = [process.threadCpuUsage(), process.cpuUsage()];
    await scanner.scan([{ name: "text", text: "The invoice 2026-1177 is due. ".repeat(30_000) }]);
    const sum = ({ user, system }: NodeJS.CpuUsage) => user + system;
    // Of the time that a scan takes of processors, little is this thread's, however busy the machine is.
    expect(sum(process.threadCpuUsage(own)) / sum(process.cpuUsage(all))).toBeLessThan(0.5);
  });

  test("scan no more once they are closed", async () => {
    const closed = createContentScanner({ fingerprintKey });
    await closed.close();
    expect(await closed.scan([{ name: "text", text: IBAN }])).toEqual({ findings: [], unscanned: ["text"] });
  });
});

test("another key gives other fingerprints, and one that is too short is refused", async () => {
  const scanners = [7, 8].map((byte) =>
    createContentScanner({ fingerprintKey: new Uint8Array(32).fill(byte) }),
  );
  const scans = await Promise.all(scanners.map((each) => each.scan([{ name: "text", text: IBAN }])));
  expect(new Set(scans.map(({ findings }) => findings[0]?.fingerprint)).size).toBe(2);
  await Promise.all(scanners.map((each) => each.close()));
  expect(() => createContentScanner({ fingerprintKey: new Uint8Array(8) })).toThrow(/16 bytes/);
  expect(LIMITS.content_scan_ms).toBe(1_000);
});
