import { setTimeout as after } from "node:timers/promises";
import { createClient } from "@letterslot/client";
import { type FakeTwilio, startFakeTwilio } from "../../packages/adapter-twilio/testing/fake-twilio.ts";
import { serveCalls } from "../measure/program.ts";

/** An inbox with a number, and its account's key. */
export interface PhoneAccount {
  api_key: string;
  inbox_id: string;
  e164: string;
}

/** Time limit for the last texts of a round. */
const PATIENCE_MS = 5_000;
const POLL_MS = 2;
const PEOPLE = 5_000;

let provider: FakeTwilio | undefined;
let base_url = "";
let accounts: PhoneAccount[] = [];
let clients: ReturnType<typeof createClient>[] = [];
let texts = 0;

/** Twilio's API, and the people whom the service's numbers text, in one process. */
export const calls = {
  /** Starts the API with these numbers for sale: the settings of the server that is to use it. */
  async listen(numbers: string[]) {
    provider = await startFakeTwilio();
    provider.stock(numbers);
    const { account_sid, auth_token, url } = provider;
    return { TWILIO_ACCOUNT_SID: account_sid, TWILIO_AUTH_TOKEN: auth_token, TWILIO_API_URL: url };
  },
  /** The server, and its accounts that text and are texted. */
  connect(to: { base_url: string; accounts: PhoneAccount[] }) {
    ({ base_url, accounts } = to);
    clients = accounts.map(({ api_key }) => createClient({ baseUrl: base_url, apiKey: api_key, retries: 0 }));
  },
  /**
   * Sends texts over the API, so many at once, until the provider has taken each and its report of delivery was
   * answered. The latencies are those of the reports.
   */
  async send({ ms, connections }: { ms: number; connections: number }) {
    const twilio = started();
    const latencies: number[] = [];
    let [asked, reported] = [0, twilio.texts.length];
    const before = reported;
    const reports: Promise<void>[] = [];
    const start = performance.now();
    let asking = connections;
    const asks = Promise.all(
      Array.from({ length: connections }, async () => {
        while (performance.now() - start < ms) {
          const which = asked++ % accounts.length;
          const { inbox_id = "" } = accounts[which] ?? {};
          await clients[which]?.messages.sendSms({ inbox_id, to: person(asked), text: words(asked) });
        }
        asking--;
      }),
    );
    const end = start + ms + PATIENCE_MS;
    while ((asking > 0 || reported - before < asked) && performance.now() < end) {
      for (; reported < twilio.texts.length; reported++) {
        const { sid = "" } = twilio.texts[reported] ?? {};
        reports.push(deliver(twilio.textStatus(sid, "delivered"), latencies));
      }
      await after(POLL_MS);
    }
    await asks;
    await Promise.all(reports);
    return {
      done: latencies.length,
      missing: asked - latencies.length,
      ms: performance.now() - start,
      latencies,
    };
  },
  /** Texts the accounts, so many at once. The latencies are those of the callbacks. */
  async receive({ ms, connections }: { ms: number; connections: number }) {
    const latencies: number[] = [];
    const start = performance.now();
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (performance.now() - start < ms) await deliver(nextText(), latencies);
      }),
    );
    return { done: latencies.length, ms: performance.now() - start, latencies };
  },
  /** Texts the accounts at a constant rate, whenever the answers come. */
  async receivePaced({ ms, per_second }: { ms: number; per_second: number }) {
    const latencies: number[] = [];
    const start = performance.now();
    const sent: Promise<void>[] = [];
    for (let number = 0; number < (per_second * ms) / 1000; number++) {
      const wait = start + (number * 1000) / per_second - performance.now();
      if (wait > 1) await after(wait);
      sent.push(deliver(nextText(), latencies));
    }
    await Promise.all(sent);
    return { done: latencies.length, ms: performance.now() - start, latencies };
  },
};

/** Sends a callback and notes how long its answer took. Throws if it isn't taken. */
async function deliver(callback: ReturnType<FakeTwilio["text"]>, latencies: number[]): Promise<void> {
  const start = performance.now();
  const { status, body } = await callback.send();
  if (status >= 300) throw new Error(`${callback.url}: ${status} ${body.slice(0, 300)}`);
  latencies.push(performance.now() - start);
}

function nextText() {
  const { e164 = "" } = accounts[texts % accounts.length] ?? {};
  texts++;
  return started().text({ from: person(texts), to: e164, text: words(texts) });
}

const words = (number: number) => `The table for ${number} is free until eight. Shall I keep it for you?`;

/** One of 5,000 people. */
function person(number: number): string {
  return `+1213555${String(1_000 + (number % PEOPLE)).padStart(4, "0")}`;
}

function started(): FakeTwilio {
  if (provider === undefined) throw new Error("listen first");
  return provider;
}

serveCalls(calls);
