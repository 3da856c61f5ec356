import { parseArgs } from "node:util";
import type { Check } from "./checks.ts";
import { examine } from "./doctor.ts";
import type { DoctorTools, Wishes } from "./facts.ts";

/** The output of `letterslot-server doctor --help`. */
export const DOCTOR_USAGE = `Looks for what is wrong with a set-up, and says what to do about it.

Usage: letterslot-server doctor [--json] [--wait <seconds>] [--probe <domain>] [--no-mail]

It reads the configuration that the server reads, so run it where the server runs, with the same environment. While the
server is stopped, it opens the storage as the server would, and takes its mail port for a moment: other mail that comes
meanwhile is put off (451). While the server runs with SQLite, the storage is the server's alone; then set
LETTERSLOT_API_KEY to a key of any account, so that mail in and webhooks can be looked at too.

Each line is ok, a warning or a failure. The exit status is 1 when something failed.

  --json     prints a JSON line for each check, as it also does when its output is no terminal
  --wait     how long the mail that it sends to itself may take, 60 seconds unless told
  --probe    with SMTP_URL=mx:, the domain whose mail host is greeted to see whether port 25 is open; gmail.com
  --no-mail  sends no mail to itself

Examples:
  letterslot-server doctor
  letterslot-server doctor --json --no-mail
`;

/** The arguments can't be used. */
export class DoctorUsageError extends Error {
  override name = "DoctorUsageError";
}

/** The destination of the report. */
interface Streams {
  stdout: { isTTY?: boolean; write(text: string): unknown };
}

const DEFAULT_WAIT_SECONDS = 60;
const MAX_WAIT_SECONDS = 3_600;

/** Runs `doctor`. Resolves to the exit status: 1 when a check failed. Throws `DoctorUsageError`. */
export async function runDoctor(words: string[], tools: DoctorTools, { stdout }: Streams): Promise<number> {
  const { help, json, wishes } = readArguments(words);
  if (help) {
    stdout.write(DOCTOR_USAGE);
    return 0;
  }
  const asJson = json || stdout.isTTY !== true;
  const counts = { ok: 0, warning: 0, failed: 0 };
  for await (const found of examine(tools, wishes)) {
    counts[found.status] += 1;
    stdout.write(asJson ? `${JSON.stringify(found)}\n` : lineOf(found));
  }
  if (!asJson) stdout.write(`\n${summaryOf(counts)}\n`);
  return counts.failed === 0 ? 0 : 1;
}

const NAME_CHARS = 15;
const STATUS_CHARS = 8;

/** Formats a check for people, with its remedy below it. */
export function lineOf({ name, status, says, fix }: Check): string {
  const margin = " ".repeat(STATUS_CHARS + 1 + NAME_CHARS + 1);
  const line = `${status.padEnd(STATUS_CHARS)} ${name.padEnd(NAME_CHARS)} ${says}\n`;
  return fix === null ? line : `${line}${margin}→ ${fix}\n`;
}

function summaryOf({ ok, warning, failed }: Record<Check["status"], number>): string {
  const warnings = warning === 1 ? "1 warning" : `${warning} warnings`;
  return failed === 0
    ? `Nothing failed: ${ok} ok, ${warnings}.`
    : `${failed} failed, ${warnings}, ${ok} ok. Mend the first failure first: others may follow from it.`;
}

function readArguments(args: string[]): { help: boolean; json: boolean; wishes: Wishes } {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  let values: ReturnType<typeof parse>;
  const parse = () =>
    parseArgs({
      args,
      options: { json: flag, wait: text, probe: text, "no-mail": flag, help: { ...flag, short: "h" } },
    }).values;
  try {
    values = parse();
  } catch (error) {
    throw new DoctorUsageError(`${(error as Error).message}\n\n${DOCTOR_USAGE}`);
  }
  const { wait = String(DEFAULT_WAIT_SECONDS), probe = "gmail.com" } = values;
  if (!/^\d{1,4}$/.test(wait) || Number(wait) < 1 || Number(wait) > MAX_WAIT_SECONDS)
    throw new DoctorUsageError(`--wait takes seconds, from 1 to ${MAX_WAIT_SECONDS}.`);
  return {
    help: values.help === true,
    json: values.json === true,
    wishes: {
      mail: values["no-mail"] !== true,
      wait_ms: Number(wait) * 1000,
      probe_domain: probe.toLowerCase(),
    },
  };
}
