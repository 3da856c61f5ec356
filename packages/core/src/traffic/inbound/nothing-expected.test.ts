import { expect, test } from "vitest";
import { createMemoryStorage, createTestService } from "../../../testing/index.ts";
import type { Storage } from "../../ports/storage.ts";

/** A storage that notes the table of each call, also within transactions. */
function noting(living: Storage) {
  const tables: string[] = [];
  const noted = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(from, name) {
        const verb: unknown = Reflect.get(from, name);
        if (typeof verb !== "function") return verb;
        return (...given: unknown[]) => {
          if (name === "transaction") {
            const [run, intent] = given as Parameters<Storage["transaction"]>;
            return living.transaction((tx) => run(noted(tx)), intent);
          }
          if (typeof given[0] === "string" && !(name === "append" && (given[1] as unknown[]).length === 0))
            tables.push(given[0]);
          return Reflect.apply(verb, from, given) as unknown;
        };
      },
    });
  return { tables, storage: noted(living) };
}

const MAIL = { from: "bo@friend.example", subject: "Hi", text: "Your code is 482913." };
const FEATURES = ["expectations", "inbox_rules", "contacts", "contact_cursors", "contact_metadata"];

test("mail to an inbox without rules and expectations makes not one statement more for them, nor for contacts", async () => {
  const { tables, storage } = noting(createMemoryStorage());
  const service = createTestService({ storage });
  const { as, inbox } = await service.signUp("ada");
  const callsFor = async (text: string) => {
    tables.length = 0;
    const { results } = await service.receive({ ...MAIL, to: inbox.email, text });
    expect(results).toMatchObject([{ outcome: "stored" }]);
    return tables.toSorted();
  };
  await callsFor("First.");
  const without = await callsFor("Second.");
  expect(without.filter((table) => FEATURES.includes(table))).toEqual([]);

  const { id: expectation_id } = await as.expectations.create({
    ...{ inbox_id: inbox.id, kind: "code", from: "eve@x.example", ttl_seconds: 30 },
  });
  const { id: rule_id } = await as.rules.create({
    ...{ inbox_id: inbox.id, name: "Shop", conditions: { from: ["@shop.example"] }, actions: { hold: true } },
  });
  const having = await callsFor("Third.");
  // A rule that doesn't match needs no look at whose word the mail is.
  expect(having).toEqual([...without, "expectations", "inbox_rules"].toSorted());

  // Once they are gone, it is as if they had never been.
  await as.expectations.cancel({ inbox_id: inbox.id, expectation_id });
  await as.rules.delete({ inbox_id: inbox.id, rule_id });
  await service.clock.advance(31_000);
  expect(await callsFor("Fourth.")).toEqual(without);
});
