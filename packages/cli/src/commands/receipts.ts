import { readFileSync } from "node:fs";
import {
  ReceiptError,
  type ReceiptExpectations,
  type VerifiedReceipt,
  verifyReceipt,
} from "@letterslot/client/receipts";
import { defineCommand, type Group } from "../frame/command.ts";
import type { Context } from "../frame/context.ts";
import { CliError, wrongUse } from "../frame/exit.ts";
import type { Column } from "../frame/output.ts";

const KEYS_PATH = "/.well-known/approval-keys.json";

const verify = defineCommand({
  summary: "Checks receipts of approvals on this machine",
  about:
    "The file has one receipt or many: an answer of `letterslot approvals receipt`, receipts.jsonl of an export, or a JWS on each line; - reads standard input. Many are shown in their order; with --chain none may be missing between them. A receipt that is refused ends the command with exit code 1 and its reason.",
  args: { file: { kind: "text", about: "the file with the receipts", required: true } },
  options: {
    keys: {
      kind: "text",
      about: `the keys to trust: a file, or an address; by default those that your server publishes`,
      placeholder: "file",
    },
    iss: { kind: "text", about: "the service that must have signed them, such as https://mail.example.com" },
    account: { kind: "text", about: "the account whose they must be" },
    approval: { kind: "text", about: "the approval that they must be of" },
    digest: { kind: "text", about: "the digest of what must have been decided" },
    prev: { kind: "text", about: "the hash of the receipt before the first one" },
    chain: { kind: "flag", about: "refuse receipts between which one is missing" },
    eml: { kind: "text", about: "the mail that must have left, as it left or arrived", placeholder: "file" },
  },
  examples: [
    "letterslot receipts verify receipt.json",
    "letterslot receipts verify receipts.jsonl --keys approval-keys.json --chain",
    "letterslot receipts verify receipt.json --eml received.eml",
  ],
  async run(context, { file, keys, eml, chain, prev, ...named }) {
    const given = receiptsIn(readText(file));
    if (given.length === 0) throw wrongUse(`${file} has no receipt.`);
    const trusted = await keysOf(context, keys);
    const expected = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
    const mail = eml === undefined ? undefined : readFileSync(eml);
    const verified: VerifiedReceipt[] = [];
    for (const jws of given) {
      const is_sent = isOfSent(jws);
      // Those of mails that left have no digest, and only they have a mail.
      const { digest, ...others } = expected;
      const of_kind = { ...others, ...(digest === undefined || is_sent ? {} : { digest }) };
      const of_mail = mail === undefined || !is_sent ? {} : { eml: mail };
      verified.push(await verifyOne(jws, { keys: trusted, ...of_kind, ...of_mail }));
    }
    const ordered = inOrder(verified);
    if (chain) checkChain(ordered, prev);
    else if (prev !== undefined && ordered[0]?.payload["prev"] !== prev)
      throw refused("broken_chain", given[0]);
    await context.output.list(pageOf(ordered.map(shown)), COLUMNS, "No receipts.");
  },
});

/** Receipts as a list that ends. */
async function* pageOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

const COLUMNS: readonly Column[] = [
  { title: "time", of: ({ signed_at }) => String(signed_at).slice(0, 19).replace("T", " ") },
  { title: "approval", of: ({ approval_id }) => approval_id },
  { title: "what", of: ({ what }) => what },
  { title: "hash", of: ({ hash }) => hash, cut: true },
];

const shown = ({ payload, hash }: VerifiedReceipt) => ({
  verified: true,
  approval_id: String(payload["jti"]),
  what: payload["parent"] === undefined ? String(payload["decision"]) : "mail left",
  signed_at: new Date(Number(payload["iat"]) * 1000).toISOString(),
  iss: String(payload["iss"]),
  hash,
  payload,
});

const readText = (file: string): string => readFileSync(file === "-" ? 0 : file, "utf8");

/** The receipts in a text: JSON of one or many records, or a line for each. */
function receiptsIn(text: string): string[] {
  const whole = parsed(text);
  if (whole !== undefined) return receiptsOf(whole);
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .flatMap((line) => {
      const record = parsed(line);
      return record === undefined ? [line] : receiptsOf(record);
    });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function receiptsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(receiptsOf);
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  const { data, jws, sent, sent_jws } = value as Record<string, unknown>;
  return [
    ...(Array.isArray(data) ? data.flatMap(receiptsOf) : []),
    jws,
    sent_jws,
    ...receiptsOf(sent ?? []),
  ].filter((each) => typeof each === "string");
}

/** Whether a receipt says that a mail left; it is verified later. */
function isOfSent(jws: string): boolean {
  const payload = parsed(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString("utf8"));
  return typeof payload === "object" && payload !== null && "parent" in payload;
}

async function keysOf(context: Context, from: string | undefined): Promise<ReceiptExpectations["keys"]> {
  const where = from ?? `${(await context.connect({ anonymous: true })).base_url}${KEYS_PATH}`;
  const text = /^https?:\/\//.test(where) ? await fetched(where, context.signal) : readText(where);
  const keys = parsed(text) as { keys?: unknown } | undefined;
  if (!Array.isArray(keys?.keys) && !Array.isArray(keys)) throw wrongUse(`${where} has no keys.`);
  return keys as ReceiptExpectations["keys"];
}

async function fetched(address: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(address, { signal });
  if (!answer.ok) throw new CliError(`${address} answered ${answer.status}.`);
  return answer.text();
}

async function verifyOne(jws: string, expected: ReceiptExpectations): Promise<VerifiedReceipt> {
  try {
    return await verifyReceipt(jws, expected);
  } catch (error) {
    if (error instanceof ReceiptError) throw refused(error.reason, jws);
    throw error;
  }
}

const refused = (reason: ReceiptError["reason"], jws = ""): CliError =>
  new CliError(`${new ReceiptError(reason).message} It begins with ${jws.slice(0, 40)}…`, { code: reason });

/** Receipts as they were signed: each after the one that it names, others by their time. */
function inOrder(receipts: readonly VerifiedReceipt[]): VerifiedReceipt[] {
  const next = new Map(receipts.map((each) => [each.payload["prev"], each]));
  const hashes = new Set(receipts.map(({ hash }) => hash));
  const starts = receipts.filter(({ payload }) => !hashes.has(String(payload["prev"])));
  const ordered: VerifiedReceipt[] = [];
  for (const start of starts.toSorted((a, b) => Number(a.payload["iat"]) - Number(b.payload["iat"])))
    for (let each: VerifiedReceipt | undefined = start; each !== undefined; each = next.get(each.hash))
      ordered.push(each);
  // Of two that follow the same one, the other is shown too.
  return [...ordered, ...receipts.filter((each) => !ordered.includes(each))];
}

/** Fails with `broken_chain` where one of them doesn't follow the one before. */
function checkChain(ordered: readonly VerifiedReceipt[], prev: string | undefined): void {
  let before: unknown = prev ?? ordered[0]?.payload["prev"];
  for (const { payload, hash } of ordered) {
    if (payload["prev"] !== before) throw refused("broken_chain", hash);
    before = hash;
  }
}

/** `letterslot receipts`. */
export const command: Group = {
  summary: "Receipts of approvals: what a person decided, checked by anybody",
  examples: ["letterslot receipts verify receipt.json"],
  commands: { verify },
};
