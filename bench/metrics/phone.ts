import { createClient, whole } from "@letterslot/client";
import { freePort } from "../../test/support/free-port.ts";
import type { calls as loadCalls, PhoneAccount } from "../load/phone-load.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { readCpu } from "../measure/process-cost.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, cpuEach, p99, type Round, rate } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import { countStoredMessages } from "../measure/stored-messages.ts";
import type { Metric } from "../metric.ts";

const ACCOUNTS = 8;
const CONNECTIONS = 16;
const PER_SECOND = 200;
const ANSWERED_MS = 50;

/** Texts out and in, and how fast callbacks are answered, with Twilio's API on this machine. */
export const phone: Metric = {
  title: "Texts to and from a provider on this machine, and its callbacks",
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withCleanup(async (cleanups) => {
        const load = await startProgram<typeof loadCalls>("load/phone-load.ts", cleanups);
        const numbers = Array.from({ length: ACCOUNTS }, (_, index) => `+1415555010${index}`);
        const settings = await load.call("listen", numbers);
        const port = await freePort();
        // Callbacks go to BASE_URL, so the port is chosen before the server listens.
        const base_url = `http://127.0.0.1:${port}`;
        const environment = { SMTP_PORT: "off", PORT: String(port), BASE_URL: base_url, ...settings };
        const product = await startProduct(folder, environment);
        cleanups.push(product.end);
        const accounts: PhoneAccount[] = [];
        for (const phone_number of numbers) {
          const username = `agent${accounts.length}`;
          const { api_key, inbox } = await createClient({ baseUrl: base_url }).accounts.onboard({ username });
          const client = createClient({ baseUrl: base_url, apiKey: api_key });
          const { e164 } = whole(await client.phoneNumbers.create({ inbox_id: inbox.id, phone_number }));
          accounts.push({ api_key, inbox_id: inbox.id, e164 });
        }
        await load.call("connect", { base_url, accounts });
        let texts = 0;
        let missing = 0;
        const measured = async (play: () => Promise<Omit<Round, "cpu_us">>): Promise<Round> => {
          const before = readCpu(product.pid);
          const round = await play();
          const after = readCpu(product.pid);
          texts += round.done;
          return {
            ...round,
            cpu_us: before === undefined || after === undefined ? undefined : after - before,
          };
        };
        const rounds = await alternate(run, {
          out: (ms) =>
            measured(async () => {
              const round = await load.call("send", { ms, connections: CONNECTIONS });
              missing += round.missing;
              return round;
            }),
          in: (ms) => measured(() => load.call("receive", { ms, connections: CONNECTIONS })),
          paced: (ms) => measured(() => load.call("receivePaced", { ms, per_second: PER_SECOND })),
        });
        if (missing > 0) throw new Error(`${missing} texts were not taken by the provider, or not reported`);
        const stored = countStoredMessages(folder);
        if (stored !== texts) throw new Error(`${texts} texts went out and in, ${stored} are stored`);
        return {
          figures: [
            {
              name: "phone: texts out, each with its report",
              unit: "texts/s",
              ...summary(rounds.out.map(rate)),
              target: { at_least: PER_SECOND },
            },
            {
              name: "phone: texts in",
              unit: "texts/s",
              ...summary(rounds.in.map(rate)),
              target: { at_least: PER_SECOND },
            },
            {
              name: `phone: p99 of a callback at ${PER_SECOND}/s`,
              unit: "ms",
              ...summary(rounds.paced.map(p99)),
              target: { at_most: ANSWERED_MS },
            },
            {
              name: "phone: CPU of a text out, with its report",
              unit: "µs",
              ...summary(rounds.out.map(cpuEach)),
            },
            { name: "phone: CPU of a text in", unit: "µs", ...summary(rounds.in.map(cpuEach)) },
          ],
        };
      }),
    ),
};
