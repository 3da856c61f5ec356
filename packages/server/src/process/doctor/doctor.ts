import { createLetterslot } from "@letterslot/core";
import { silentLog } from "@letterslot/core/ports";
import { doubtsAbout } from "../announce.ts";
import { type Config, readConfig } from "../config.ts";
import { type DataDir, openDataDir } from "../data-dir.ts";
import { lockDataDir } from "../data-lock.ts";
import { readPlans } from "../plans-file.ts";
import { believedReporters, reportersInWords } from "../relay-reporters.ts";
import { type Opened, optionsOf, readEnvironment } from "../run.ts";
import { type Check, type Finding, failed, named, ok, warning } from "./checks.ts";
import { examineKind, examineSpace, examineSync } from "./disk.ts";
import { type DoctorTools, type Facts, hasRole, LOOK_MS, type Wishes } from "./facts.ts";
import { domain, relay, selfMail, starttls, takePorts } from "./mail-checks.ts";
import { findRunning, type RunningServer } from "./running-server.ts";
import { clock, examineStorage, queue, webhooks } from "./service-checks.ts";

/** Runs all checks, and reports causes before their consequences. */
export async function* examine(tools: DoctorTools, wishes: Wishes): AsyncGenerator<Check> {
  let config: Config;
  let plans: ReturnType<typeof readPlans>;
  const environment = readEnvironment();
  try {
    config = readConfig(environment);
    plans = readPlans(config.plans);
  } catch (error) {
    for (const line of tools.describe(error).split("\n"))
      yield named(
        "configuration",
        failed(line, "Set it right, then run this again: nothing else was looked at."),
      );
    return;
  }
  const base_url = config.base_url ?? `http://localhost:${config.port}`;
  yield* configuration(config, base_url);

  let dataDir: DataDir;
  try {
    dataDir = openDataDir(config.data_dir);
  } catch (error) {
    yield named("data_dir", failed(tools.describe(error), "Nothing else was looked at."));
    return;
  }
  yield named("data_dir", ok(`The folder ${dataDir.path} is this user's alone.`));
  if (config.database_url === undefined) yield named("disk.kind", examineKind(dataDir));
  yield named("disk.space", examineSpace(dataDir));
  yield named("disk.sync", examineSync(dataDir));

  const running = await findRunning(config, AbortSignal.timeout(LOOK_MS));
  yield named("server", running === undefined ? ok("It doesn't run now.") : judgeServer(running));
  const closing: (() => unknown)[] = [];
  try {
    const facts = {
      tools,
      wishes,
      config,
      base_url,
      environment,
      dataDir,
      running,
      storage: undefined,
      closing,
    };
    yield* examineService(facts, plans);
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

function* configuration(config: Config, base_url: string): Generator<Check> {
  const doubts = doubtsAbout(config, base_url);
  for (const { message } of doubts) {
    const [says = "", ...fix] = message.split(/(?<=\.) /);
    yield named("configuration", warning(says, fix.join(" ")));
  }
  if (doubts.length === 0) yield named("configuration", ok("Every setting can be used."));
  if (config.smtp_url !== undefined)
    yield named("reporters", ok(reportersInWords(believedReporters(config))));
}

function judgeServer({ base_url, status, degraded }: RunningServer): Finding {
  if (status === "ok") return ok(`It runs at ${base_url}.`);
  if (status === "degraded")
    return warning(`It runs at ${base_url}, without ${degraded.join(", ")}.`, "Start that again; see below.");
  return failed(
    `It runs at ${base_url}, but says ${status}.`,
    "See its log; restart it if that doesn't pass.",
  );
}

async function* examineService(facts: Facts, plans: ReturnType<typeof readPlans>): AsyncGenerator<Check> {
  const { config, running } = facts;
  const { checks, storage } = await openStorage(facts, plans);
  yield* checks;
  const all: Facts = { ...facts, storage };
  const ports = running === undefined ? await takePorts(all) : undefined;
  const looks: Promise<Check | Check[]>[] = [
    queue(all),
    clock(all),
    Promise.resolve(ports?.checks ?? []),
    starttls(all, ports?.smtp),
    domain(all),
    relay(all),
    webhooks(all),
  ];
  let sends = true;
  for (const look of looks) {
    const found = [await look].flat();
    yield* found;
    sends &&= !found.some(({ name, status }) => name === "relay" && status === "failed");
  }
  if (facts.wishes.mail && hasRole(config, "smtp")) yield await selfMail(all, ports, sends);
}

/** Opens the storage as the server would, unless a server has it for itself. */
async function openStorage(
  facts: Facts,
  plans: ReturnType<typeof readPlans>,
): Promise<{ checks: Check[]; storage: Facts["storage"] }> {
  const { tools, config, base_url, dataDir, running, closing } = facts;
  const without = (finding: Finding) => ({ checks: [named("storage", finding)], storage: undefined });
  if (config.database_url === undefined) {
    try {
      closing.push(lockDataDir(dataDir));
    } catch (error) {
      if (running !== undefined)
        return without(ok("The server that runs has it for itself, and says that it works."));
      return without(failed(tools.describe(error), "If no server is to run, stop that process."));
    }
  }
  let opened: Opened;
  try {
    opened = await tools.open(config, dataDir, silentLog);
  } catch (error) {
    return without(failed(tools.describe(error), "Then run this again: much else needs it."));
  }
  closing.push(opened.close);
  const options = optionsOf(config, base_url, plans);
  const storage = { opened, service: createLetterslot({ ...opened.ports, log: silentLog, ...options }) };
  return { checks: await examineStorage(storage, tools), storage };
}
