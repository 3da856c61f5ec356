import type { calls as floorCalls } from "../floors/api-floor.ts";
import type { calls as loadCalls } from "../load/http-load.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { measureRequests } from "../measure/measure-requests.ts";
import { onboard } from "../measure/onboard.ts";
import { readTreeCpu } from "../measure/process-cost.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, cpuEach, type Round, rate, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import type { Metric, Run } from "../metric.ts";

const CONNECTIONS = 16;
const draft = {
  to: ["ada@example.com"],
  subject: "An offer",
  text: "Good morning,\n\nhere is what we talked about.\n".repeat(20),
};

/** Other words than those that are sent: mail with the same ones is looked into before each send. */
const mail = {
  from: "bo@example.com",
  subject: draft.subject,
  text: "Dear Ada,\n\nthank you for the offer of last week.\n".repeat(20),
};

const IDLE = { look_every_ms: 200, cpu_us: 10_000 };

/** Counts the CPU of a round until the server rests: sends go on after their answers. */
const untilIdle = (pid: number, play: (ms: number) => Promise<Round>) => async (ms: number) => {
  const before = readTreeCpu([pid]) ?? Number.NaN;
  const round = await play(ms);
  let used = readTreeCpu([pid]) ?? Number.NaN;
  for (let last = 0; used - last > IDLE.cpu_us; ) {
    last = used;
    await new Promise((resolve) => setTimeout(resolve, IDLE.look_every_ms));
    used = readTreeCpu([pid]) ?? Number.NaN;
  }
  return { ...round, cpu_us: used - before };
};

/** The HTTP API: an authenticated read, a durable write with an Idempotency-Key, a send, and an inject. */
export const api: Metric = {
  title:
    "HTTP: GET an inbox against a Hono hello world, POST a draft with an Idempotency-Key against its transaction, send and inject",
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withCleanup(async (cleanups) => {
        const load = await startProgram<typeof loadCalls>("load/http-load.ts", cleanups);
        // Signed, captured, and without the bounds of an account that nobody has claimed.
        const product = await startProduct(folder, { SMTP_PORT: "off", MAIL_DOMAIN: "agents.example.org" });
        cleanups.push(product.end);
        const { api_key, inbox_id } = await onboard(product.base_url);
        const floor = await startProgram<typeof floorCalls>("floors/api-floor.ts", cleanups);
        const { base_url } = await floor.call("listen", { folder, api_key });
        const headers = { authorization: `Bearer ${api_key}` };
        const half: Run = { ...run, round_ms: run.round_ms / 2 };

        const get = (pid: number, at: string, path: string) => (ms: number) =>
          measureRequests(load, pid, {
            base_url: at,
            method: "GET",
            paths: [path],
            headers,
            connections: CONNECTIONS,
            ms,
          });
        const reads = await alternate(half, {
          product: get(product.pid, product.base_url, `/api/v1/inboxes/${inbox_id}`),
          floor: get(floor.pid, base_url, "/hello"),
        });

        const post =
          (pid: number, at: string, path: string, body: object = draft) =>
          (ms: number) =>
            measureRequests(load, pid, {
              base_url: at,
              method: "POST",
              paths: [path],
              headers,
              body: JSON.stringify(body),
              connections: CONNECTIONS,
              ms,
            });
        const writes = await alternate(half, {
          product: post(product.pid, product.base_url, `/api/v1/inboxes/${inbox_id}/drafts`),
          floor: post(floor.pid, base_url, "/api/drafts"),
        });
        const inbox = `/api/v1/inboxes/${inbox_id}`;
        const mails = await alternate(half, {
          send: untilIdle(product.pid, post(product.pid, product.base_url, `${inbox}/messages`)),
          inject: untilIdle(product.pid, post(product.pid, product.base_url, `${inbox}/inbound`, mail)),
        });
        return {
          figures: [
            {
              name: "api: GET an inbox / hello",
              unit: "×",
              ...ratio(reads.product, reads.floor),
              target: { at_least: 0.5 },
            },
            { name: "api: GET an inbox", unit: "/s", ...summary(reads.product.map(rate)) },
            { name: "api: CPU of GET an inbox", unit: "µs", ...summary(reads.product.map(cpuEach)) },
            { name: "api: CPU of hello", unit: "µs", ...summary(reads.floor.map(cpuEach)) },
            {
              name: "api: POST /drafts / floor",
              unit: "×",
              ...ratio(writes.product, writes.floor),
              target: { at_least: 0.55 },
            },
            { name: "api: POST /drafts", unit: "/s", ...summary(writes.product.map(rate)) },
            { name: "api: CPU of POST /drafts", unit: "µs", ...summary(writes.product.map(cpuEach)) },
            { name: "api: CPU of its floor", unit: "µs", ...summary(writes.floor.map(cpuEach)) },
            { name: "api: POST a send", unit: "/s", ...summary(mails.send.map(rate)) },
            {
              name: "api: CPU of a send, signed and handed over",
              unit: "µs",
              ...summary(mails.send.map(cpuEach)),
              target: { at_most: 2000 },
            },
            { name: "api: POST an inject", unit: "/s", ...summary(mails.inject.map(rate)) },
            {
              name: "api: CPU of an inject",
              unit: "µs",
              ...summary(mails.inject.map(cpuEach)),
              target: { at_most: 2000 },
            },
          ],
        };
      }),
    ),
};
