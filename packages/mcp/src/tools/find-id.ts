import { LIMITS, type OperationName } from "@letterslot/core";
import { isId, mayCall, operationNamed } from "@letterslot/core/internal";
import { cleanLine, quoteLine } from "@letterslot/core/mail";
import { ToolError } from "./failure.ts";
import type { ToolHost } from "./host.ts";

type Args = Record<string, unknown>;
type Answer = Record<string, unknown>;

/** A record that an id may mean. */
interface Candidate {
  id: string;
  /** A label that the model recognises, such as the subject. */
  label: string;
  /** Other names that the operation takes in place of the id. */
  names?: readonly string[];
}

/** A kind of record whose ids tools take. */
interface Kind {
  prefix: Parameters<typeof isId>[0];
  noun: string;
  /** The operation that lists them, newest first. */
  list: OperationName;
  /** Its input besides `limit` and `cursor`; undefined where too little is known to list them. */
  input(args: Args): Args | undefined;
  limit: number;
  candidates(answer: Answer): Candidate[];
}

const records = ({ data }: Answer): Answer[] => (Array.isArray(data) ? (data as Answer[]) : []);
const wordOf = (value: unknown): string => (typeof value === "string" ? value : "");
const labelled =
  (field: string) =>
  (answer: Answer): Candidate[] =>
    records(answer).map(({ id, [field]: label }) => ({ id: wordOf(id), label: wordOf(label) }));
const ofAny = ({ inbox_id }: Args): Args => (inbox_id === undefined ? {} : { inbox_id });
const ofInbox = ({ inbox_id }: Args): Args | undefined => (inbox_id === undefined ? undefined : { inbox_id });

/** The kinds of record by the argument that names one. The id of another kind must be whole. */
const KINDS: Record<string, Kind> = {
  inbox_id: {
    prefix: "inb",
    noun: "inbox",
    list: "inboxes.list",
    input: () => ({}),
    limit: LIMITS.list_max,
    candidates: (answer) =>
      records(answer).map(({ id, email, username }) => ({
        id: wordOf(id),
        label: wordOf(email),
        names: [wordOf(email), wordOf(username)],
      })),
  },
  message_id: {
    prefix: "msg",
    noun: "message",
    list: "messages.list",
    input: ({ inbox_id }) => (inbox_id === undefined ? undefined : { inbox_id, view: "summary" }),
    limit: LIMITS.list_max,
    candidates: labelled("subject"),
  },
  thread_id: {
    prefix: "thr",
    noun: "thread",
    list: "threads.listAll",
    input: ofAny,
    limit: LIMITS.search_max,
    candidates: labelled("subject"),
  },
  attachment_id: {
    prefix: "att",
    noun: "attachment",
    list: "messages.batchGet",
    input: ({ inbox_id, message_id }) =>
      inbox_id === undefined || message_id === undefined
        ? undefined
        : { inbox_id, message_ids: [message_id], view: "summary" },
    limit: 0,
    candidates: (answer) =>
      records(answer).flatMap(({ attachments }) =>
        (attachments as Answer[]).map(({ id, filename }) => ({ id: wordOf(id), label: wordOf(filename) })),
      ),
  },
  task_id: {
    prefix: "tsk",
    noun: "task",
    list: "tasks.list",
    input: (args) => ({ ...ofAny(args), status: "all" }),
    limit: LIMITS.list_max,
    candidates: labelled("subject"),
  },
  draft_id: {
    prefix: "dft",
    noun: "draft",
    list: "drafts.list",
    input: ofInbox,
    limit: LIMITS.list_max,
    candidates: labelled("subject"),
  },
  approval_id: {
    prefix: "apr",
    noun: "approval",
    list: "approvals.list",
    input: ofAny,
    limit: LIMITS.list_max,
    candidates: labelled("summary"),
  },
};

/** The order in which arguments are looked up: each found record narrows the next search. */
const ORDER = ["inbox_id", "message_id", "thread_id", "attachment_id", "task_id", "draft_id", "approval_id"];

/** The number of newest records of a kind that are searched for a similar id. */
const NEWEST = 1_000;
/** The end of an id that still names it, in characters. */
const TAIL_CHARS = 6;
/** The number of records that an error names. */
const NAMED = 3;

/**
 * The arguments with whole ids: in place of an id a tool that only reads takes its last 6 or more characters, and
 * an inbox's address or username. Fails with a `ToolError` that names the records that come closest.
 */
export async function withWholeIds(host: ToolHost, args: Args, names: readonly string[]): Promise<Args> {
  const whole = { ...args };
  for (const name of ORDER.filter((each) => names.includes(each))) {
    const kind = KINDS[name] as Kind;
    const given = whole[name];
    if (typeof given !== "string" || isId(kind.prefix, given)) continue;
    whole[name] = await idOf(host, kind, whole, name, given);
  }
  return whole;
}

async function idOf(host: ToolHost, kind: Kind, args: Args, param: string, given: string): Promise<string> {
  const known = await newestOf(host, kind, args);
  // Whether it exists is for the operation to say.
  if (known === undefined) return given;
  const wanted = given.trim().toLowerCase();
  const named = known.filter(({ names = [] }) => names.includes(wanted));
  const found =
    named.length > 0 || wanted.length < TAIL_CHARS ? named : known.filter(({ id }) => id.endsWith(wanted));
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only.id;
  if (only !== undefined) {
    throw new ToolError({
      code: "ambiguous_id",
      message: `${quoteLine(given, 80)} is the end of ${found.length} ids.`,
      fix: `Use one of these whole ids: ${inWords(found)}.`,
      param,
    });
  }
  throw new ToolError({
    code: `${kind.noun}_not_found`,
    message: `No ${kind.noun} among the newest ${NEWEST} has the id ${quoteLine(given, 80)}.`,
    fix: `${suggestionOf(known, wanted)}A whole id or its last ${TAIL_CHARS} or more characters will do.`,
    param,
  });
}

/**
 * Returns an addition to a `…_not_found` for an id that a model may have made up: the records with the closest ids,
 * among those that the caller may list. Empty when there are none, or the failure is another.
 */
export async function suggestionFor(host: ToolHost, code: string, args: Args): Promise<string> {
  const name = `${code.replace(/_not_found$/, "")}_id`;
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  const given = args[name];
  if (kind === undefined || !code.endsWith("_not_found") || typeof given !== "string") return "";
  const known = await newestOf(host, kind, args).catch(() => undefined); // it only adds to another failure
  return known === undefined ? "" : suggestionOf(known, given.trim().toLowerCase());
}

/** A line on the messages that a call named and its answer left out. Empty when there are none. */
export async function missingIds(
  host: ToolHost,
  { inbox_id, message_ids }: Args,
  answer: unknown,
): Promise<string> {
  if (!Array.isArray(message_ids)) return "";
  const known = new Set(records(answer as Answer).map(({ id }) => id));
  const [first, ...others] = message_ids.filter((id) => typeof id === "string" && !known.has(id)) as string[];
  if (first === undefined) return "";
  const suggestion = await suggestionFor(host, "message_not_found", { inbox_id, message_id: first });
  return `Not found: ${[first, ...others].map((id) => quoteLine(id, 40)).join(", ")}. ${suggestion}\n`;
}

function suggestionOf(known: readonly Candidate[], wanted: string): string {
  if (known.length === 0) return "There is none yet. ";
  const near = known
    .map((candidate) => ({ candidate, distance: distanceOf(candidate.id, wanted) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NAMED)
    .map(({ candidate }) => candidate);
  return `Did you mean ${inWords(near)}? `;
}

function inWords(candidates: readonly Candidate[]): string {
  const named = candidates.slice(0, NAMED).map(({ id, label }) => `${id} ${quoteLine(label, 60)}`);
  const more = candidates.length - named.length;
  return named.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** The newest records of a kind that the caller may list. Undefined: it may not, or can't with these arguments. */
async function newestOf(host: ToolHost, kind: Kind, args: Args): Promise<Candidate[] | undefined> {
  const input = kind.input(args);
  if (input === undefined || !mayCall(await host.caller(), operationNamed(kind.list))) return undefined;
  const found: Candidate[] = [];
  let cursor: unknown;
  do {
    const page = kind.limit === 0 ? {} : { limit: kind.limit, ...(cursor == null ? {} : { cursor }) };
    const answer = (await host.call(kind.list, { ...input, ...page })) as Answer;
    found.push(...kind.candidates(answer));
    cursor = answer["next_cursor"];
  } while (cursor != null && found.length < NEWEST);
  return found.slice(0, NEWEST);
}

/** Longer texts are no ids, and as far from one as any other. */
const COMPARED_CHARS = 40;

/** The edit distance of two short texts (Levenshtein): how many characters to change, add or leave out. */
function distanceOf(a: string, b: string): number {
  const [one, other] = [a.slice(0, COMPARED_CHARS), cleanLine(b, COMPARED_CHARS)];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++) {
      const same = one[at - 1] === other[to - 1] ? 0 : 1;
      next.push(Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, (row[to - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
