import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@letterslot/client";
import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import type { calls as loadCalls } from "../load/smtp-load.ts";
import { domainOf, type Envelope, planEnvelopes } from "../mail/envelopes.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { measureMail } from "../measure/measure-mail.ts";
import { createDatabase, startDurablePostgres, withClient } from "../measure/postgres-database.ts";
import { readTreeCpu } from "../measure/process-cost.ts";
import { type Product, startProduct } from "../measure/product.ts";
import { type Program, startProgram } from "../measure/program.ts";
import { alternate, cpuEach, type Round, rate, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import type { Figure, Metric, Run } from "../metric.ts";

const DOMAIN = "agents.example.org";
const PROCESSES = [1, 2, 4];
const CONNECTIONS = [16, 64];
/** With few accounts, most mails are of one that another process writes to at the same time. */
const ACCOUNTS = { few: 4, many: 100 };
const SENDERS_PER_ACCOUNT = 5;
/** Mails of each process before the rounds, by which its code is compiled, and mails of a round. */
const MAILS = { quick: { before: 100, round: 200 }, usual: { before: 3_000, round: 1_000 } };
/** Longer than any number of mails that is sent by count takes. */
const LONG_MS = 600_000;
/** PostgreSQL's sessions report what they have counted after at most so long without work. */
const REPORTED_MS = 11_000;

type Accounts = keyof typeof ACCOUNTS;

/** Several processes on one database, which receive mail of the same accounts. */
export const postgresProcesses: Metric = {
  title:
    "Receiving 3 KB mail with 1, 2 and 4 processes on one PostgreSQL: the cost of a mail, and failed tries",
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withCleanup(async (cleanups) => {
        const server = await startDurablePostgres();
        cleanups.push(server.end);
        const pid = await readServerPid(server.url);
        const figures: Figure[] = [];
        for (const accounts of Object.keys(ACCOUNTS) as Accounts[])
          figures.push(...(await compare(run, join(folder, accounts), accounts, { ...server, pid })));
        return { figures };
      }),
    ),
};

type Load = Program<typeof loadCalls>;
interface Server {
  url: string;
  pid: number;
}
type Counts = Record<"mails" | "node_us" | "server_us" | "commits" | "rollbacks", number>;

const compare = (run: Run, folder: string, accounts: Accounts, server: Server): Promise<Figure[]> =>
  withCleanup(async (cleanups) => {
    const load: Load = await startProgram<typeof loadCalls>("load/smtp-load.ts", cleanups);
    const inboxes = ACCOUNTS[accounts];
    const envelopes = planEnvelopes({ senders: inboxes * SENDERS_PER_ACCOUNT, inboxes, domains: 10 }, DOMAIN);
    const zone = await load.call("prepare", { bytes: 3_000, envelopes, seed: run.seed, count: 1_000 });
    const dns = await startDnsServer(zone);
    cleanups.push(dns.close);
    const contestants: Contestant[] = [];
    for (const processes of PROCESSES) {
      const place = { folder: join(folder, String(processes)), dns: dns.server, processes };
      contestants.push(await startContestant(load, server, place, envelopes, cleanups));
    }
    const { before, round } = run.quick ? MAILS.quick : MAILS.usual;
    run.log(`${accounts} accounts: ${before} mails to each process before the rounds`);
    for (const { send, processes } of contestants) await send(CONNECTIONS[0] ?? 1, before * processes);
    const figures: Figure[] = [];
    for (const connections of CONNECTIONS) {
      const earlier = await countAll(contestants);
      const plays = contestants.map(({ processes, send }) => [processes, () => send(connections, round)]);
      const rounds = await alternate(run, Object.fromEntries(plays) as Record<string, () => Promise<Round>>);
      const later = await countAll(contestants);
      for (const [index, { processes }] of contestants.entries())
        figures.push(
          ...figuresOf(
            `${accounts} accounts, ${connections} connections, ${processes} processes`,
            processes,
            {
              own: rounds[processes] ?? [],
              one: rounds[1] ?? [],
              counts: [earlier[index], later[index]] as [Counts, Counts],
            },
          ),
        );
    }
    return figures;
  });

/** The processes of one service, with a database of their own. */
interface Contestant {
  processes: number;
  send(connections: number, mails: number): Promise<Round>;
  count(): Promise<Counts>;
}

async function startContestant(
  load: Load,
  server: Server,
  { folder, dns, processes }: { folder: string; dns: string; processes: number },
  envelopes: readonly Envelope[],
  cleanups: { push(end: () => unknown): void },
): Promise<Contestant> {
  const url = await createDatabase(server.url);
  const environment = {
    ...{ DNS_SERVER: dns, MAIL_DOMAIN: DOMAIN, DATABASE_URL: url, TRUSTED_PROXIES: "127.0.0.0/8" },
    ENCRYPTION_KEY: randomBytes(32).toString("hex"),
  };
  const products: Product[] = [];
  for (let number = 1; number <= processes; number++) {
    const product = await startProduct(join(folder, String(number)), environment);
    cleanups.push(product.end);
    products.push(product);
  }
  await onboardEach(products[0]?.base_url ?? "", envelopes);
  const port = products.map(({ smtp_port }) => smtp_port);
  const pid = [...products.map((product) => product.pid), server.pid];
  const cpu = { mails: 0, node_us: 0, server_us: 0 };
  return {
    processes,
    async send(connections, mails) {
      const before = readTreeCpu([server.pid]) ?? Number.NaN;
      const round = await measureMail(load, { pid, port, connections }, LONG_MS, mails);
      const server_us = (readTreeCpu([server.pid]) ?? Number.NaN) - before;
      cpu.mails += round.done;
      cpu.server_us += server_us;
      cpu.node_us += (round.cpu_us ?? Number.NaN) - server_us;
      return round;
    },
    count: async () => ({ ...cpu, ...(await readTransactions(url)) }),
  };
}

function figuresOf(
  name: string,
  processes: number,
  { own, one, counts: [earlier, later] }: { own: Round[]; one: Round[]; counts: [Counts, Counts] },
): Figure[] {
  const each = (of: keyof Counts) => (later[of] - earlier[of]) / (later.mails - earlier.mails);
  return [
    { name: `${name}: mails`, unit: "/s", ...summary(own.map(rate)) },
    {
      name: `${name}: CPU a mail / that of one process`,
      ...{ unit: "×", ...ratio(own, one, cpuEach) },
      ...(processes > 1 && { target: { at_most: 1.3 } }),
    },
    { name: `${name}: CPU of Node a mail`, unit: "µs", value: each("node_us") },
    { name: `${name}: CPU of the server a mail`, unit: "µs", value: each("server_us") },
    { name: `${name}: commits a mail`, unit: "", value: each("commits") },
    { name: `${name}: rollbacks a mail`, unit: "", value: each("rollbacks"), target: { at_most: 0.02 } },
  ];
}

/** Opens an account for each inbox of the envelopes, each from a network of its own, and allowlists its senders. */
async function onboardEach(base_url: string, envelopes: readonly Envelope[]): Promise<void> {
  const inboxes = [...Map.groupBy(envelopes, ({ to }) => to)];
  for (const [number, [address, mail]] of inboxes.entries()) {
    const client = createClient({
      baseUrl: base_url,
      fetch: (url, init) =>
        fetch(url, {
          ...init,
          headers: {
            ...Object.fromEntries(new Headers(init.headers)),
            "X-Forwarded-For": `198.51.${number}.7`,
          },
        }),
    });
    const username = address.slice(0, -domainOf(address).length - 1);
    const { api_key, inbox } = await client.accounts.onboard({ username });
    const { allowlist } = createClient({ baseUrl: base_url, apiKey: api_key });
    for (const sender of new Set(mail.map(({ from }) => from)))
      await allowlist.create({ inbox_id: inbox.id, address: sender });
  }
}

async function countAll(contestants: readonly Contestant[]): Promise<Counts[]> {
  await sleep(REPORTED_MS);
  return Promise.all(contestants.map(({ count }) => count()));
}

async function readTransactions(url: string): Promise<Pick<Counts, "commits" | "rollbacks">> {
  const sql =
    "select xact_commit::int as commits, xact_rollback::int as rollbacks from pg_stat_database where datname = current_database()";
  const { rows } = await withClient(url, (client) => client.query(sql));
  return rows[0] as Pick<Counts, "commits" | "rollbacks">;
}

async function readServerPid(url: string): Promise<number> {
  const sql = "select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid";
  const { rows } = await withClient(url, (client) => client.query(sql));
  return (rows[0] as { pid: number }).pid;
}
