import { afterEach, describe, expect, test } from "vitest";
import type { Storage } from "../../packages/core/src/ports/storage.ts";
import { createTestService } from "../../packages/core/testing/index.ts";
import { caseCount, PROOF_SEED, PROOF_TIMEOUT_MS } from "../support/case-count.ts";
import { createMailboxModel, type ModelMessage, type ModelThread } from "../support/mailbox-model.ts";
import { createProgress } from "../support/progress.ts";
import { type ProofStorageName, proofStorageNames, proofStorages } from "../support/proof-storages.ts";
import { seeded } from "../support/seeded.ts";

const COMPARE_EVERY = 40;
const MAX_MESSAGES = 120;
/**
 * This many run concurrently, each in its own storage: while one waits for its database, another works.
 */
const sequences = caseCount(1, 4);
/** Small pages, so that there are many; each comparison picks a random size. */
const [shortestPage, longestPage] = [5, 60];
const HOUR_MS = 3600_000;
const WORDS = ["amber", "birch", "cedar", "dune", "ember"];
const LABELS = ["todo", "later", "trip"];
const FRIEND = "bo@example.org";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Applies random operations to the service and to the model. */
async function start(storage: Storage, random: () => number) {
  const service = createTestService({ storage });
  const { as, inbox } = await service.signUp("ada");
  const inbox_id = inbox.id;
  const model = createMailboxModel();
  const chance = (share: number) => random() < share;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const anyMessage = () => pick(model.messages);
  const some = <T>(from: readonly T[]): T[] => from.filter(() => chance(0.5));
  let received = 0;

  const note = (
    shown: { id: string; thread_id: string; labels: string[]; attachments: unknown[] },
    own: Partial<ModelMessage>,
  ) => {
    const { id, thread_id, attachments } = shown;
    model.add({
      id,
      thread_id,
      attachments: attachments.length,
      labels: [...shown.labels],
      direction: "outbound",
      words: [],
      ...own,
    });
  };
  const files = () => (chance(0.2) ? [{ filename: "a.txt", content_base64: "eA==" }] : []);

  const receive = async () => {
    const answered = model.messages.length > 0 && chance(0.6) ? anyMessage() : undefined;
    const said = some(WORDS);
    const before =
      answered === undefined ? undefined : await as.messages.get({ inbox_id, message_id: answered.id });
    const message = await as.messages.inject({
      inbox_id,
      from: FRIEND,
      subject: "Trip",
      text: `Hello ${said.join(" ")}`,
      attachments: files(),
      ...(typeof before?.message_id === "string" ? { in_reply_to: before.message_id } : {}),
    });
    received += 1;
    if (answered !== undefined) expect(message.thread_id).toBe(answered.thread_id);
    note(message, { direction: "inbound", words: said });
  };
  const send = async () => {
    const said = some(WORDS);
    const answered = model.messages.length > 0 && chance(0.5) ? anyMessage() : undefined;
    const mail = { inbox_id, text: `Hello ${said.join(" ")}`, attachments: files() };
    const sent =
      answered === undefined
        ? await as.messages.send({ ...mail, to: [FRIEND], subject: "Trip" })
        : await as.messages.reply({ ...mail, message_id: answered.id });
    if (sent.object !== "message") throw new Error("the mail was held");
    if (answered !== undefined) expect(sent.thread_id).toBe(answered.thread_id);
    note(sent, { words: said });
  };
  const relabel = async () => {
    const { id } = anyMessage();
    const [add, remove] = [some(["read", ...LABELS].slice(chance(0.5) ? 0 : 1)), [] as string[]];
    for (const label of LABELS) if (!add.includes(label) && chance(0.3)) remove.push(label);
    if (!add.includes("read") && chance(0.4))
      (chance(0.5) ? add : remove).push(chance(0.5) ? "unread" : "read");
    if (add.length + remove.length === 0) return;
    await as.messages.update({ inbox_id, message_id: id, add_labels: add, remove_labels: remove });
    model.relabel((message) => message.id === id, add, remove);
  };
  const relabelMany = async () => {
    const ids = model.messages
      .filter(() => chance(0.2))
      .map(({ id }) => id)
      .slice(0, 50);
    if (ids.length === 0) return;
    const add = [pick([...LABELS, "read", "unread"])];
    await as.messages.batchUpdate({ inbox_id, message_ids: ids, add_labels: add });
    model.relabel(({ id }) => ids.includes(id), add, []);
  };
  const markThread = async () => {
    const { thread_id } = anyMessage();
    const add = [pick(["read", "unread"])];
    await as.threads.update({ inbox_id, thread_id, add_labels: add });
    model.relabel((message) => message.thread_id === thread_id && message.direction === "inbound", add, []);
  };
  const remove = async () => {
    const { id } = anyMessage();
    await as.messages.delete({ inbox_id, message_id: id });
    model.remove((message) => message.id === id);
  };
  const removeThread = async () => {
    const { thread_id } = anyMessage();
    await as.threads.delete({ inbox_id, thread_id });
    model.remove((message) => message.thread_id === thread_id);
  };

  async function step(): Promise<void> {
    if (chance(0.05)) await service.clock.advance(HOUR_MS);
    if (chance(0.1)) await service.work();
    if (model.messages.length === 0) return receive();
    const crowded = model.messages.length > MAX_MESSAGES;
    const [share, none] = [random(), crowded ? 0 : 1];
    if (share < 0.25 * none) return receive();
    if (share < 0.4 * none) return send();
    if (share < 0.65) return relabel();
    if (share < 0.72) return relabelMany();
    if (share < 0.82) return markThread();
    if (share < 0.95) return remove();
    return removeThread();
  }

  return { service, as, inbox_id, model, step, received: () => received };
}

type Started = Awaited<ReturnType<typeof start>>;
type Page<T> = Promise<{ data: T[]; next_cursor: string | null }>;

/** Reads a whole list in pages of `limit`. */
async function all<T>(
  limit: number,
  page: (asked: { limit: number; cursor?: string }) => Page<T>,
): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const { data, next_cursor } = await page({ limit, ...(cursor === undefined ? {} : { cursor }) });
    expect(data.length).toBeLessThanOrEqual(limit);
    found.push(...data);
    cursor = next_cursor;
  }
  return found;
}

const idsOf = (things: { id: string }[]) => things.map(({ id }) => id);

/** Expects every list, thread, count and search of the service to equal the model's. */
async function compare({ as, inbox_id, model }: Started, random: () => number): Promise<void> {
  const limit = shortestPage + Math.floor(random() * (longestPage - shortestPage));
  const listed = (filter: object) =>
    all(limit, (page) => as.messages.list({ inbox_id, view: "summary", ...page, ...filter }));
  const listsOf = async (filter: object, fits: (message: ModelMessage) => boolean) =>
    expect(idsOf(await listed(filter))).toEqual(idsOf(model.list(fits)));
  const shape = ({ id, labels: own, thread_id }: { id: string; labels: string[]; thread_id: string }) => ({
    ...{ id, thread_id },
    labels: own.toSorted(),
  });
  const hitsOf = async (word: string) => {
    const hits = await all(limit, (page) => as.messages.search({ inbox_id, q: word, ...page }));
    expect(idsOf(hits.map(({ message }) => message))).toEqual(
      idsOf(model.list((message) => message.words.includes(word))),
    );
  };
  const threadsOf = async (filter: object, fits: (thread: ModelThread) => boolean) => {
    const threads = await all(limit, (page) => as.threads.list({ inbox_id, ...page, ...filter }));
    const counts = ({ id, message_count, unread_count, attachment_count, last_message_id }: ModelThread) => ({
      ...{ id, message_count, unread_count, attachment_count, last_message_id },
    });
    expect(threads.map(counts)).toEqual(model.threads().filter(fits));
  };
  const both = ["todo", "unread"];
  await Promise.all([
    listed({}).then((found) => expect(found.map(shape)).toEqual(model.list().map(shape))),
    listed({ order: "asc" }).then((found) => expect(idsOf(found)).toEqual(idsOf(model.list()).toReversed())),
    ...[...LABELS, "unread", "read"].map((label) =>
      listsOf({ label: [label] }, (message) => message.labels.includes(label)),
    ),
    listsOf({ label: both }, (message) => both.every((label) => message.labels.includes(label))),
    ...["inbound", "outbound"].map((direction) =>
      listsOf({ direction }, (message) => message.direction === direction),
    ),
    ...WORDS.map(hitsOf),
    threadsOf({}, () => true),
    threadsOf({ unread: true }, ({ unread_count }) => unread_count > 0),
  ]);
}

const steps_in: Record<ProofStorageName, number> = {
  memory: caseCount(2_000, 100_000),
  SQLite: caseCount(600, 100_000),
  PostgreSQL: caseCount(300, 100_000),
};

describe("random mail, labels and deletions", () => {
  test.each(proofStorageNames.map((name) => [name, steps_in[name]] as const))(
    "have the same result in %s as in a model of one array",
    { timeout: PROOF_TIMEOUT_MS },
    async (place, steps) => {
      const told = createProgress(`steps in ${place}`, steps);
      const seeds = Array.from({ length: sequences }, (_, number) => PROOF_SEED + number);
      await Promise.all(seeds.map((seed) => expectSequence(place, seed, steps / sequences, told)));
    },
  );
});

async function expectSequence(
  place: ProofStorageName,
  seed: number,
  steps: number,
  told: () => void,
): Promise<void> {
  const { storage, remove } = await proofStorages[place]();
  closing.push(remove);
  const random = seeded(seed);
  const started = await start(storage, random);
  let done = 0;
  try {
    for (; done < steps; told()) {
      await started.step();
      if (++done % COMPARE_EVERY === 0) await compare(started, random);
    }
    await started.service.work();
    await compare(started, random);
  } catch (error) {
    throw new Error(`seed ${seed}, step ${done}`, { cause: error });
  }
  const events = await started.as.events.list({ after: "0", types: ["message.received"], limit: 200 });
  expect(events.data.length).toBe(Math.min(started.received(), 200));
}
