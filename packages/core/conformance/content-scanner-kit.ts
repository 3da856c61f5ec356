import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { LIMITS } from "../src/catalogue/limits.ts";
import type { ContentScanner } from "../src/ports/content-scanner.ts";
import { type Kit, type Opened, race, withFresh } from "./kit.ts";

/** A fresh scanner for one test. */
export interface OpenedContentScanner extends Opened {
  scanner: ContentScanner;
}

const IBAN = "DE89370400440532013000";
const SPACED_IBAN = "DE89 3704 0044 0532 0130 00";
const OTHER_IBAN = "GB82 WEST 1234 5698 7654 32";

const newKey = (): string =>
  generateKeyPairSync("ec", { namedCurve: "P-256" })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString();

/** Checks every promise of the content scanner port. */
export function contentScannerKit(kit: Kit<OpenedContentScanner>): void {
  const test = withFresh(kit);

  test("a private key, an IBAN and a named card are found where they stand", async ({ scanner }) => {
    const key = newKey();
    const text = `The key:\n${key}\nPay ${SPACED_IBAN} or by card 4111 1111 1111 1111.`;
    const { findings, unscanned } = await scanner.scan([{ name: "text", text }]);
    assert.deepEqual(unscanned, []);
    assert.deepEqual(
      findings.map(({ code, kind, part }) => [code, kind, part]),
      [
        ["secret", "private_key", "text"],
        ["personal_data", "iban", "text"],
        ["personal_data", "payment_card", "text"],
      ],
    );
    const shown = findings.map(({ start, end }) => text.slice(start, end));
    assert.equal(shown[0]?.trim(), key.trim());
    assert.deepEqual(shown.slice(1), [SPACED_IBAN, "4111 1111 1111 1111"]);
  });

  test("no finding has the value, or a plain hash of it", async ({ scanner }) => {
    const { findings } = await scanner.scan([{ name: "text", text: `IBAN ${IBAN}` }]);
    assert.equal(findings.length, 1);
    const said = JSON.stringify(findings);
    assert.ok(!said.includes(IBAN.slice(4, 12)), said);
    assert.match(findings[0]?.fingerprint ?? "", /^[0-9a-f]{64}$/);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(IBAN));
    assert.ok(!said.includes(Buffer.from(digest).toString("hex")));
  });

  test("a value has one fingerprint however it is written, and others have others", async ({ scanner }) => {
    const parts = [IBAN, SPACED_IBAN, OTHER_IBAN].map((text, index) => ({ name: `part ${index}`, text }));
    const { findings } = await scanner.scan(parts);
    const [one, same, other] = findings.map(({ fingerprint }) => fingerprint);
    assert.equal(one, same);
    assert.notEqual(one, other);
    const again = await scanner.scan(parts.slice(0, 1));
    assert.equal(again.findings[0]?.fingerprint, one);
  });

  test("findings are in the order of the parts, and at most as many as the limit says", async ({
    scanner,
  }) => {
    const names = ["subject", "text", "text"];
    const { findings } = await scanner.scan(names.map((name) => ({ name, text: `${IBAN}\n${OTHER_IBAN}` })));
    assert.deepEqual(
      findings.map(({ part }) => part),
      ["subject", "subject", "text", "text", "text", "text"],
    );
    const many = await scanner.scan([
      { name: "many", text: `${IBAN}\n`.repeat(LIMITS.content_scan_findings + 5) },
    ]);
    assert.equal(many.findings.length, LIMITS.content_scan_findings);
  });

  test("a part beyond a limit is unscanned, and the others are scanned", async ({ scanner }) => {
    const long = { name: "long", text: `${IBAN} `.padEnd(LIMITS.content_scan_part_chars + 1, "word ") };
    const { findings, unscanned } = await scanner.scan([long, { name: "short", text: IBAN }]);
    assert.deepEqual(
      findings.map(({ part }) => part),
      ["short"],
    );
    assert.deepEqual(unscanned, ["long"]);
    const count = LIMITS.content_scan_parts + 2;
    const many = await scanner.scan(
      Array.from({ length: count }, (_, index) => ({ name: `${index}`, text: "" })),
    );
    assert.deepEqual(many.unscanned, [`${count - 2}`, `${count - 1}`]);
    const full = "x ".repeat(LIMITS.content_scan_part_chars / 2);
    const whole = await scanner.scan(["a", "b", "c"].map((name) => ({ name, text: full })));
    assert.deepEqual(whole.unscanned.includes("c"), true);
  });

  test("nothing is found in nothing", async ({ scanner }) => {
    assert.deepEqual(await scanner.scan([]), { findings: [], unscanned: [] });
    assert.deepEqual(await scanner.scan([{ name: "text", text: "" }]), { findings: [], unscanned: [] });
  });

  test("scans at once don't mix", async ({ scanner }) => {
    const scans = await race(12, (index) =>
      scanner.scan([{ name: `${index}`, text: index % 2 === 0 ? `IBAN ${IBAN}` : "Nothing." }]),
    );
    assert.deepEqual(
      scans.map(({ findings, unscanned }) => [findings.map(({ part }) => part), unscanned]),
      scans.map((_, index) => [index % 2 === 0 ? [`${index}`] : [], []]),
    );
  });

  test("an aborted scan rejects with the reason, and the next one works", async ({ scanner }) => {
    const reason = new Error("the caller hung up");
    const parts = [{ name: "text", text: `IBAN ${IBAN}` }];
    await assert.rejects(scanner.scan(parts, AbortSignal.abort(reason)), reason);
    const ending = new AbortController();
    const running = scanner.scan([{ name: "long", text: "card 1234 ".repeat(90_000) }], ending.signal);
    ending.abort(reason);
    await assert.rejects(running, reason);
    assert.equal((await scanner.scan(parts)).findings.length, 1);
  });
}
