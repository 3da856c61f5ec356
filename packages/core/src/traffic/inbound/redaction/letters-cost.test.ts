import { expect, test } from "vitest";
import { createTestService } from "../../../../testing/index.ts";
import { withOwner } from "../../../../testing/owner-mail.ts";
import { createTestStorage } from "../../../../testing/test-storage.ts";
import type { Storage } from "../../../ports/storage.ts";

const grace = "grace@example.com";
const hour = 3600_000;
/** Tables read only where a mail holds or answers a letter, or where a code is live. */
const OF_LETTERS = ["letters", "letter_secrets", "session_challenges", "counters"];

/** A storage that notes the table of each call to it, also in transactions. */
function noting(storage: Storage): { storage: Storage; calls: string[] } {
  const calls: string[] = [];
  const notes = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name);
        if (typeof value !== "function") return value;
        return (...given: unknown[]) => {
          const [first] = given;
          if (typeof first === "string") calls.push(`${String(name)} ${first}`);
          const passed = given.map((each) =>
            name === "transaction" && typeof each === "function"
              ? (tx: object) => (each as (tx: object) => unknown)(notes(tx))
              : each,
          );
          return (value as (...passed: unknown[]) => unknown).apply(of, passed);
        };
      },
    });
  return { storage: notes(storage), calls };
}

const LONG = "Order 123456, code 482913, and 10:30 on 12.06.2026. ".repeat(20);

test("mail to an account without a living code reads nothing of letters", async () => {
  const noted = noting(createTestStorage().storage);
  const service = createTestService({ storage: noted.storage });
  const setting = await withOwner(service);
  const { inbox, as } = setting;
  await service.clock.advance(25 * hour);
  const sent = await as.messages.send({
    inbox_id: inbox.id,
    to: ["ann@example.net"],
    subject: "Hello",
    text: "Hello.",
  });
  await service.work();
  const message_id = sent.object === "message" ? sent.message_id : null;
  const mails = {
    plain: { from: "ann@example.net", text: LONG },
    html: { from: "ann@example.net", html: `<p style="color:#333333">${LONG}</p>` },
    of_owner: { from: grace, text: LONG },
    answer: { from: "ann@example.net", text: LONG, in_reply_to: message_id ?? "" },
  };
  const counts: Record<string, number> = {};
  for (const [name, mail] of Object.entries(mails)) {
    // The first of its kind reads what later ones have from the cache.
    await service.receive({ to: inbox.email, ...mail });
    noted.calls.length = 0;
    await service.receive({ to: inbox.email, ...mail });
    counts[name] = noted.calls.length;
    const of_letters = noted.calls.filter((call) => OF_LETTERS.includes(call.split(" ")[1] ?? ""));
    expect(of_letters).toEqual(name === "answer" ? ["find letters"] : []);
  }
  // The number of reads of each kind before mail was searched for letters.
  expect(counts["plain"]).toBeLessThanOrEqual(27);
  expect(counts["html"]).toBeLessThanOrEqual(27);
  expect(counts["of_owner"]).toBeLessThanOrEqual(29);
  expect(counts["answer"]).toBeLessThanOrEqual(33);
});
