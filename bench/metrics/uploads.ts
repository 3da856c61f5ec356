import { whole } from "@letterslot/client";
import type { calls as floorCalls } from "../floors/file-floor.ts";
import type { calls as fileCalls } from "../load/file-load.ts";
import type { calls as httpCalls } from "../load/http-load.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { type Onboarded, onboard } from "../measure/onboard.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { median, quantile, summary } from "../measure/statistics.ts";
import type { Metric } from "../metric.ts";

/** As large as fits into a mail beside a few words. */
const BYTES = 26_214_000;
const IN_A_ROW = 3;
const AT_ONCE = 50;
const PROBE_PAUSE_MS = 5;

/** Files by reference: an upload and a download, and a quiet tenant beside 50 uploads at once. */
export const uploads: Metric = {
  title: "Files of 25 MB: PUT and GET against Node's bare HTTP server, and a quiet tenant beside 50 uploads",
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withCleanup(async (cleanups) => {
        const load = await startProgram<typeof fileCalls>("load/file-load.ts", cleanups);
        const probe = await startProgram<typeof httpCalls>("load/http-load.ts", cleanups);
        const product = await startProduct(folder, { SMTP_PORT: "off", MAIL_DOMAIN: "agents.example.org" });
        cleanups.push(product.end);
        const floor = await startProgram<typeof floorCalls>("floors/file-floor.ts", cleanups);
        const { base_url: floor_url } = await floor.call("listen", { folder });
        const accounts = [await onboard(product.base_url, "one"), await onboard(product.base_url, "two")];
        const quiet = await onboard(product.base_url, "quiet");
        const here = (url: string) => `${product.base_url}${url.slice(url.indexOf("/api/"))}`;
        /** Addresses for so many files, of accounts by turns; what was there before goes. */
        const addresses = async (count: number) => {
          const each = Array.from({ length: count }, (_, number) => accounts[number % accounts.length]);
          return Promise.all(each.map((account) => address(account as Onboarded)));
        };
        const address = async ({ client, inbox_id }: Onboarded) => {
          const { id, put_url } = await client.uploads.create({ inbox_id, filename: "report.pdf" });
          return { url: here(put_url), end: () => client.uploads.delete({ inbox_id, upload_id: id }), id };
        };

        const putOne = async () => {
          const { url, end } = await address(accounts[0] as Onboarded);
          const [ms = Number.NaN] = await load.call("put", { urls: [url], bytes: BYTES });
          await end();
          return ms;
        };
        const putFloor = async () =>
          (await load.call("put", { urls: [`${floor_url}/a`], bytes: BYTES }))[0] ?? Number.NaN;
        const sent = await sendOne(accounts[0] as Onboarded);
        async function sendOne({ client, inbox_id }: Onboarded) {
          const { url, id: upload_id } = await address(accounts[0] as Onboarded);
          await load.call("put", { urls: [url], bytes: BYTES });
          const mail = { inbox_id, to: ["ada@example.com"], text: "See.", attachments: [{ upload_id }] };
          const draft = whole(await client.messages.send(mail));
          const attachment_id = draft.attachments[0]?.id ?? "";
          return here((await client.attachments.link({ inbox_id, message_id: draft.id, attachment_id })).url);
        }
        const getOne = () => load.call("get", { url: sent });
        const getFloor = () => load.call("get", { url: `${floor_url}/a` });

        const times: Record<"put" | "put_floor" | "get" | "get_floor", number[]> = {
          ...{ put: [], put_floor: [], get: [], get_floor: [] },
        };
        const inARow = async (one: () => Promise<number>) => {
          const all: number[] = [];
          for (let count = 0; count < IN_A_ROW; count++) all.push(await one());
          return median(all);
        };
        await inARow(putOne);
        await inARow(putFloor);
        for (let round = 0; round < run.rounds; round++) {
          times.put.push(await inARow(putOne));
          times.put_floor.push(await inARow(putFloor));
          times.get.push(await inARow(getOne));
          times.get_floor.push(await inARow(getFloor));
          run.log(
            `round ${round + 1}: ${Object.entries(times)
              .map(([name, all]) => `${name} ${all.at(-1)?.toFixed(0)} ms`)
              .join(", ")}`,
          );
        }

        const ask = (ms: number) =>
          probe.call("run", {
            ...{ base_url: product.base_url, method: "GET", paths: ["/api/v1/me"] },
            headers: { authorization: `Bearer ${quiet.api_key}` },
            ...{ connections: 1, pause_ms: PROBE_PAUSE_MS, ms },
          });
        const p99s: Record<"alone" | "beside", number[]> = { alone: [], beside: [] };
        await ask(run.round_ms);
        for (let round = 0; round < run.rounds; round++) {
          p99s.alone.push(quantile((await ask(run.round_ms)).latencies, 0.99));
          const there = await addresses(run.quick ? 4 : AT_ONCE);
          let done = false;
          const putting = load
            .call("put", { urls: there.map(({ url }) => url), bytes: BYTES })
            .finally(() => {
              done = true;
            });
          const latencies: number[] = [];
          while (!done) latencies.push(...(await ask(run.round_ms / 6)).latencies);
          await putting;
          p99s.beside.push(quantile(latencies, 0.99));
          await Promise.all(there.map(({ end }) => end()));
          run.log(
            `round ${round + 1}: p99 alone ${p99s.alone.at(-1)?.toFixed(1)} ms, beside ${p99s.beside.at(-1)?.toFixed(1)} ms`,
          );
        }
        const against = (ours: number[], bare: number[]) =>
          summary(ours.map((ms, index) => (bare[index] ?? Number.NaN) / ms));
        const speed = (ms: number[]) => summary(ms.map((each) => BYTES / 1_000 / each));
        return {
          figures: [
            {
              name: "uploads: PUT of 25 MB / bare server",
              unit: "×",
              ...against(times.put, times.put_floor),
            },
            { name: "uploads: PUT", unit: "MB/s", ...speed(times.put) },
            { name: "uploads: PUT to the bare server, synced", unit: "MB/s", ...speed(times.put_floor) },
            {
              name: "uploads: GET of 25 MB / bare server",
              unit: "×",
              ...against(times.get, times.get_floor),
            },
            { name: "uploads: GET by a link", unit: "MB/s", ...speed(times.get) },
            { name: "uploads: GET from the bare server", unit: "MB/s", ...speed(times.get_floor) },
            {
              name: "uploads: a neighbour's GET, p99 beside 50 / alone",
              unit: "×",
              ...summary(p99s.beside.map((p99, index) => p99 / (p99s.alone[index] ?? Number.NaN))),
              target: { at_most: 2 },
            },
            { name: "uploads: a neighbour's p99 alone", unit: "ms", ...summary(p99s.alone) },
            { name: "uploads: a neighbour's p99 beside 50", unit: "ms", ...summary(p99s.beside) },
          ],
        };
      }),
    ),
};
