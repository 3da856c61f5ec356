import type { Dns } from "@letterslot/core/ports";
import { expect, test } from "vitest";
import { createLimitedResolver, MAX_LOOKUPS_PER_MAIL } from "./limited-dns.ts";

const dns = { resolve: async () => [["x"]] } as unknown as Dns;

test("a message may cause only so many lookups", async () => {
  const resolve = createLimitedResolver(dns, 60_000);
  for (let index = 0; index < MAX_LOOKUPS_PER_MAIL; index += 1)
    expect(await resolve(`n${index}.test`, "TXT")).toEqual([["x"]]);
  await expect(resolve("one-more.test", "TXT")).rejects.toMatchObject({ code: "ETIMEOUT" });
});

test("a lookup that would start too late fails", async () => {
  await expect(createLimitedResolver(dns, -1)("a.test", "TXT")).rejects.toMatchObject({ code: "ETIMEOUT" });
});
