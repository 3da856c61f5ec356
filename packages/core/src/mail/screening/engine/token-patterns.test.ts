import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { passageOf } from "../reading.ts";
import { TOKEN_PATTERNS, tokenHits } from "./token-patterns.ts";

/** A pattern that texts can be made from: without word boundaries, lazy repetition and the class of everything. */
const generating = ({ source }: RegExp): RegExp =>
  new RegExp(source.replaceAll("\\b", "").replaceAll("[^]{0,200}?", " "));

describe("a text that matches a pattern has the literals that the pattern waits for", () => {
  test.each(
    TOKEN_PATTERNS.map((each) => [`${each.signal}: ${each.pattern.source.slice(0, 60)}`, each] as const),
  )("%s", (_, each) => {
    const { signal, has, pattern } = each;
    let matched = 0;
    fc.assert(
      fc.property(fc.stringMatching(generating(pattern)), fc.boolean(), fc.boolean(), (made, loud, alone) => {
        const text = `${alone ? "" : "é. "}${loud ? made.toUpperCase() : made}`;
        // Separators of another kind than those that are looked for don't count.
        if (!pattern.test(text) || (each.with && !has.some((one) => text.toLowerCase().includes(one))))
          return;
        matched += 1;
        expect(tokenHits(text, passageOf(text, "").literals).map((hit) => hit.signal)).toContain(signal);
      }),
      { numRuns: 200, seed: 3 },
    );
    expect(matched).toBeGreaterThan(0);
  });
});
