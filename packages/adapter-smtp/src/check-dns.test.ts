import type { Dns } from "@letterslot/core";
import { expect, test } from "vitest";
import { createCheckResolver, MAX_LOOKUPS_PER_MAIL } from "./check-dns.ts";

const dns = { resolve: async () => [["x"]] } as unknown as Dns;

test("a mail may ask so many questions and no more", async () => {
  const resolve = createCheckResolver(dns, 60_000);
  for (let turn = 0; turn < MAX_LOOKUPS_PER_MAIL; turn += 1)
    expect(await resolve(`n${turn}.test`, "TXT")).toEqual([["x"]]);
  await expect(resolve("one-more.test", "TXT")).rejects.toMatchObject({ code: "ETIMEOUT" });
});

test("a question that comes too late is not asked", async () => {
  await expect(createCheckResolver(dns, -1)("a.test", "TXT")).rejects.toMatchObject({ code: "ETIMEOUT" });
});
