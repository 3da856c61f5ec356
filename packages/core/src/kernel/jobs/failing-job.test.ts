import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/service.ts";
import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Log } from "../../ports/log.ts";
import { afterFailure } from "./failing-job.ts";

const now = new Date("2026-01-02T00:00:00.000Z");
const HOUR = 3600_000;
const before = (ms: number) => new Date(now.getTime() - ms).toISOString();

describe("a job that failed", () => {
  const job = { kind: "message.send" as const, payload: {}, attempts: 3 };
  const failing = (ms: number, attempt = 2) => ({
    ...job,
    payload: { failing: { since: before(ms), attempt } },
  });
  const error = new Error("the network is down");

  test.each([
    [
      "for the first time",
      job,
      { gives_up: false, is_first: true, failing: { since: before(0), attempt: 3 } },
    ],
    [
      "again",
      failing(HOUR),
      { gives_up: false, is_first: false, failing: { since: before(HOUR), attempt: 3 } },
    ],
    [
      "again after a success",
      failing(90 * HOUR, 1),
      { gives_up: false, is_first: true, failing: { since: before(0), attempt: 3 } },
    ],
    ["for nearly two days", failing(48 * HOUR - 1), { gives_up: false }],
    ["for two days", failing(48 * HOUR), { gives_up: true }],
    [
      "for two days, of another kind",
      { ...failing(48 * HOUR), kind: "digest.send" as const },
      { gives_up: false },
    ],
    [
      "for a week, of another kind",
      { ...failing(168 * HOUR), kind: "digest.send" as const },
      { gives_up: true },
    ],
    [
      "for a week, when it erases data",
      { ...failing(168 * HOUR), kind: "account.erase" as const },
      { gives_up: false },
    ],
    [
      "for a month, when it erases data",
      { ...failing(720 * HOUR), kind: "account.erase" as const },
      { gives_up: true },
    ],
    [
      "with a payload that says nothing",
      { ...job, payload: { failing: "x" } },
      { gives_up: false, is_first: true },
    ],
    ["with half a note", { ...job, payload: { failing: { since: 1 } } }, { gives_up: false, is_first: true }],
    ["with none", { ...job, payload: { failing: null } }, { gives_up: false, is_first: true }],
  ])("%s goes on or ends", (_when, failed, expected) => {
    expect(afterFailure(failed, error, now)).toMatchObject(expected);
  });

  test.each(["invalid_header", "attachment_not_found", "message_too_large", "not_a_mail_at_all"] as const)(
    "with %s ends at once only if every try would",
    (code) => {
      const thrown = code === "not_a_mail_at_all" ? fail("storage_unavailable") : fail(code);
      expect(afterFailure(job, thrown, now).gives_up).toBe(code !== "not_a_mail_at_all");
    },
  );

  test("waits longer each time, up to ten minutes", () => {
    const waits = [1, 2, 20, 500].map((attempts) =>
      afterFailure({ ...job, attempts }, error, now).due_at.getTime(),
    );
    expect(waits.map((at) => at - now.getTime())).toEqual([30_000, 60_000, 600_000, 600_000]);
  });
});

/** A service whose log is noted, with a mail that is about to be sent. */
async function withMail() {
  const lines: { level: string; about: Record<string, unknown>; text: string }[] = [];
  const note = (level: string) => (about: unknown, text?: string) =>
    void lines.push({ level, about: about as Record<string, unknown>, text: text ?? "" });
  const log = {
    info: note("info"),
    warn: note("warn"),
    error: note("error"),
    debug: note("debug"),
  } as unknown as Log;
  const service = createTestService({ log });
  const { as, inbox } = await service.signUp();
  const inbox_id = inbox.id;
  await service.work();
  const attachments = [{ filename: "a.bin", content_base64: "AAAA" }];
  const mail = { inbox_id, to: ["a@example.com"], bcc: ["b@example.com"], text: "x", attachments };
  const { id: message_id } = await as.messages.send(mail);
  const show = () => as.messages.get({ inbox_id, message_id });
  const jobs = () => service.letterslot.services.storage.count("jobs", { kind: "message.send" }, 9);
  const failures = async () => {
    await service.clock.advance(1);
    const events = await as.events.list({ after: "0", types: ["message.failed"] });
    const counts = (await as.metrics.events({ period: "hour" })).data.map(
      ({ counts: each }) => each["job.given_up"] ?? 0,
    );
    return { events: events.data, given_up: Math.max(...counts) };
  };
  const said = () => lines.filter(({ text }) => text.startsWith("job "));
  return { service, as, show, jobs, failures, said };
}

test("a mail that can never be written fails at once, with its recipients, an event, a count and one line", async () => {
  const { service, show, jobs, failures, said } = await withMail();
  service.letterslot.services.blobs.get = async () => undefined;
  await service.work();
  expect(await jobs()).toBe(0);
  expect(await show()).toMatchObject({
    status: "failed",
    delivery_events: [
      { type: "failed", recipient: "a@example.com", detail: expect.stringContaining("a.bin") as string },
      { type: "failed", recipient: "b@example.com" },
    ],
  });
  const { events, given_up } = await failures();
  expect(events).toMatchObject([{ data: { reason: expect.stringContaining("a.bin") as string } }]);
  expect(given_up).toBe(1);
  expect(said()).toMatchObject([{ level: "error", text: "job given up" }]);
});

test("a mail whose sending keeps failing has its last try after two days; the log has no line for each", async () => {
  const { service, show, jobs, failures, said } = await withMail();
  let tries = 0;
  service.transport.send = async () => {
    tries += 1;
    throw new Error("the transport is broken");
  };
  for (let hours = 0; hours < 50; hours += 1) {
    await service.work();
    await service.clock.advance(HOUR);
  }
  expect(tries).toBeGreaterThan(40);
  expect(await jobs()).toBe(0);
  const { status, delivery_events } = await show();
  expect(status).toBe("failed");
  expect(delivery_events.map(({ type }) => type)).toEqual(["possibly_sent", "failed", "failed"]);
  expect(await failures()).toMatchObject({ events: [{}], given_up: 1 });
  expect(said().map(({ level, text }) => [level, text])).toEqual([
    ["warn", "job failed; it will be tried again"],
    ["error", "job given up"],
  ]);
  expect(JSON.stringify(said()[1]?.about)).not.toContain("failing-job.test");
});

test("a mail that can be sent later is, and what failed before is forgotten", async () => {
  const { service, show, said } = await withMail();
  const { send } = service.transport;
  service.transport.send = () => Promise.reject(new Error("not now"));
  await service.work();
  service.transport.send = send;
  await service.clock.advance(LIMITS.job_lease_ms);
  await service.work();
  expect(await show()).toMatchObject({ status: "sent" });
  expect(said()).toHaveLength(1);
});
