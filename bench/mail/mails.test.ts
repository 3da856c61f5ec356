import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { expect, test } from "vitest";
import { createMailPool, createMailSource } from "./mails.ts";

const ENVELOPES = [
  { from: "ada@a.example", to: "agent@example.org" },
  { from: "olga@b.example", to: "agent@example.org" },
];

test.each([3_000, 100_000])(
  "mails of %i bytes are signed by their domains, each time with another signature",
  async (bytes) => {
    const pool = await createMailPool({ count: 9, bytes, envelopes: ENVELOPES, seed: 1 });
    const source = createMailSource(pool.mails);
    source.prepare(3);
    const mails = Array.from({ length: 20 }, () => source.next());
    const resolver = async (name: string, type: string) => {
      const records = pool.zone[`${type} ${name}`];
      return Array.isArray(records) ? records.map((text) => [text]) : [];
    };
    const found = await Promise.all(mails.map(({ raw }) => dkimVerify(raw, { resolver })));
    expect(found.map(({ results }) => results[0]?.status.result)).toEqual(mails.map(() => "pass"));
    expect(new Set(found.map(({ results }) => results[0]?.signature)).size).toBe(mails.length);
    for (const { raw, id } of mails) expect(raw.toString("latin1")).toContain(`Message-ID: <${id}@`);
  },
);
