import { expect, test } from "vitest";
import { type Correspondence, domainOf, FEW, MANY, planEnvelopes } from "./envelopes.ts";

const DOMAIN = "agents.example.org";

/** The number of occurrences of each distinct value. */
const counts = (values: string[]) =>
  [...Map.groupBy(values, (value) => value).values()].map((same) => same.length);

const CASES: [name: string, who: Correspondence, perInbox: number, perDomain: number][] = [
  ["a thousand senders", MANY, 10, 100],
  ["a short run's", FEW, 10, 20],
  ["as many senders as inboxes", { senders: 6, inboxes: 6, domains: 3 }, 1, 2],
  ["one of each", { senders: 1, inboxes: 1, domains: 1 }, 1, 1],
];

test.each(CASES)(
  "%s: every sender writes once, evenly to all inboxes and from all domains",
  (_, who, perInbox, perDomain) => {
    const envelopes = planEnvelopes(who, DOMAIN);
    expect(counts(envelopes.map(({ from }) => from))).toEqual(Array(who.senders).fill(1));
    expect(counts(envelopes.map(({ to }) => to))).toEqual(Array(who.inboxes).fill(perInbox));
    expect(counts(envelopes.map(({ from }) => domainOf(from)))).toEqual(Array(who.domains).fill(perDomain));
    expect(new Set(envelopes.map(({ to }) => domainOf(to)))).toEqual(new Set([DOMAIN]));
  },
);

test("an inbox hears from every domain where it has senders enough", () => {
  const heard = planEnvelopes(MANY, DOMAIN)
    .filter(({ to }) => to === `agent7@${DOMAIN}`)
    .map(({ from }) => domainOf(from));
  expect(new Set(heard).size).toBe(MANY.domains);
});
