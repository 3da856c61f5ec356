import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { makeFolder, writeConfig } from "./folders.ts";
import { PROGRAMS } from "./needs.ts";
import { type Service, startService } from "./service.ts";

const USER = "_rspamd";
/** Modules that query a remote server or need Redis: we leave them out, in the stack's favour. */
const WITHOUT = [
  ...["antivirus", "asn", "aws_s3", "bimi", "clickhouse", "dkim_signing", "elastic", "external_services"],
  ...["fuzzy_check", "greylist", "history_redis", "mx_check", "neural", "ratelimit", "rbl", "replies"],
  ...["reputation", "rspamd_update", "spamtrap", "url_redirector", "whitelist"],
];

const RETRY_MS = 200;
/** The line that a worker logs once it uses the compiled patterns; until then it is several times slower. */
const COMPILED = /\(rspamd_proxy\).*full hyperscan database/;

/** Rspamd, which first compiles its patterns. */
interface Rspamd extends Service {
  /** Resolves once its workers use the compiled patterns. */
  compiled(within_ms: number): Promise<void>;
}

/** Starts Rspamd as a milter on a port of this machine, which asks `dns_server` about senders. */
export function startRspamd(
  folder: string,
  { port, dns_server }: { port: number; dns_server: string },
): Rspamd {
  const home = makeFolder(join(folder, "rspamd"), USER);
  const log = join(home, "rspamd.log");
  const settings: Record<string, string[]> = {
    "local.d/worker-normal.inc": ["enabled = false;"],
    "local.d/worker-controller.inc": ["enabled = false;"],
    "local.d/worker-proxy.inc": ["count = 2;", 'upstream "local" { self_scan = yes; }'],
    "override.d/worker-proxy.inc": [`bind_socket = "127.0.0.1:${port}";`],
    "override.d/options.inc": [
      `dns { nameserver = ["${dns_server}"]; timeout = 1s; retransmits = 2; }`,
      "local_addrs = [];",
      'filters = "chartable,dkim,regexp";',
      "rrd = null;",
    ],
    "override.d/logging.inc": [`filename = "${log}";`],
    // The load's mail arrives from this machine, and is examined like mail from elsewhere.
    ...Object.fromEntries(
      ["spf", "dkim", "dmarc", "arc"].map((name) => [
        `local.d/${name}.conf`,
        ["check_local = true;", "check_authed = true;"],
      ]),
    ),
    "local.d/phishing.conf": ["phishtank_enabled = false;"],
    "local.d/milter_headers.conf": [
      'use = ["authentication-results", "x-spamd-result"];',
      "skip_local = false;",
    ],
    // Every mail is delivered, whatever its score, as the service does.
    "override.d/actions.conf": ["reject = 10000;", "add_header = 9000;", "greylist = 8000;"],
    ...Object.fromEntries(WITHOUT.map((name) => [`override.d/${name}.conf`, ["enabled = false;"]])),
  };
  for (const [file, lines] of Object.entries(settings)) writeConfig(join(home, file), lines);
  const variables = { LOCAL_CONFDIR: home, DBDIR: home, RUNDIR: home, LOGDIR: home };
  const service = startService(PROGRAMS.rspamd, [
    ...["-f", "-u", USER, "-g", USER],
    ...Object.entries(variables).map(([name, value]) => `--var=${name}=${value}`),
  ]);
  return {
    ...service,
    async compiled(within_ms) {
      for (const end = performance.now() + within_ms; performance.now() < end; await after(RETRY_MS))
        if (existsSync(log) && COMPILED.test(readFileSync(log, "utf8"))) return;
      throw new Error(`Rspamd has not compiled its patterns:\n${readFileSync(log, "utf8").slice(-2_000)}`);
    },
  };
}
