import { execFile, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { promisify } from "node:util";
import { makeFolder, writeConfig } from "./folders.ts";
import { PROGRAMS } from "./needs.ts";
import { type Service, startService } from "./service.ts";

/** Postfix's daemons, as Debian runs them but none in a chroot: name, type, private, unprivileged, wakeup, limit, program. */
const DAEMONS = [
  ...["pickup unix n - n 60 1 pickup", "cleanup unix n - n - 0 cleanup", "qmgr unix n - n 300 1 qmgr"],
  ...[
    "rewrite unix - - n - - trivial-rewrite",
    "bounce unix - - n - 0 bounce",
    "defer unix - - n - 0 bounce",
  ],
  ...["trace unix - - n - 0 bounce", "verify unix - - n - 1 verify", "flush unix n - n 1000? 0 flush"],
  ...["proxymap unix - - n - - proxymap", "error unix - - n - - error", "retry unix - - n - - error"],
  ...["lmtp unix - - n - - lmtp", "anvil unix - - n - 1 anvil", "scache unix - - n - 1 scache"],
  "postlog unix-dgram n - n - 1 postlogd",
];

const START_MS = 30_000;
const RETRY_MS = 50;

/** Starts Postfix on a port of this machine: it asks the milter about each mail and hands it on to the LMTP socket. */
export async function startPostfix(
  folder: string,
  to: { port: number; milter_port: number; lmtp: string; domain: string },
): Promise<Service> {
  const home = makeFolder(join(folder, "postfix"));
  const config = makeFolder(join(home, "config"));
  const settings = {
    compatibility_level: "3.6",
    queue_directory: makeFolder(join(home, "queue")),
    data_directory: makeFolder(join(home, "data"), "postfix"),
    maillog_file: join(home, "postfix.log"),
    maillog_file_prefixes: home,
    myhostname: `mx.${to.domain}`,
    mydestination: "",
    local_recipient_maps: "",
    alias_maps: "",
    inet_interfaces: "127.0.0.1",
    inet_protocols: "ipv4",
    mynetworks: "127.0.0.2/32",
    virtual_mailbox_domains: to.domain,
    virtual_mailbox_maps: "static:all",
    virtual_transport: `lmtp:unix:${to.lmtp}`,
    smtpd_milters: `inet:127.0.0.1:${to.milter_port}`,
    milter_default_action: "tempfail",
    smtpd_relay_restrictions: "reject_unauth_destination",
    smtpd_recipient_restrictions: "",
    smtpd_peername_lookup: "no",
    smtpd_tls_security_level: "none",
    smtpd_client_connection_count_limit: "0",
    // It takes mail as fast as it can, instead of waiting a second where deliveries don't keep up.
    in_flow_delay: "0",
    biff: "no",
  };
  writeConfig(
    join(config, "main.cf"),
    Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
  );
  writeConfig(join(config, "master.cf"), [`127.0.0.1:${to.port} inet n - n - - smtpd`, ...DAEMONS]);
  const checked = spawnSync(PROGRAMS.postfix, ["-c", config, "check"], { encoding: "utf8" });
  if (checked.status !== 0) throw new Error(`Postfix refuses its configuration: ${checked.stderr}`);
  startService(PROGRAMS.postfix, ["-c", config, "start-fg"]);
  const pidFile = join(home, "queue/pid/master.pid");
  for (const end = performance.now() + START_MS; !existsSync(pidFile); await after(RETRY_MS))
    if (performance.now() > end) throw new Error("Postfix did not start");
  return {
    // Postfix's master leaves the process that started it.
    pid: Number.parseInt(readFileSync(pidFile, "utf8"), 10),
    async end() {
      await promisify(execFile)(PROGRAMS.postfix, ["-c", config, "stop"]);
    },
  };
}
