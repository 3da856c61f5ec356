import assert from "node:assert/strict";
import { createIds } from "../../src/catalogue/ids.ts";
import { searchWordsOf } from "../../src/mail/search-words.ts";
import { parseQuery } from "../../src/mailbox/search/index.ts";
import type { SearchDocument, SearchField, SearchQuery } from "../../src/ports/search.ts";
import type { Storage } from "../../src/ports/storage.ts";
import { race } from "../kit.ts";
import { createKitIds, MADE_AT } from "../records.ts";
import type { StorageTest } from "./opened.ts";

/** The properties of a message that a test specifies: texts by field, and where it belongs. */
type Draft = Partial<Record<SearchField, string>> & Partial<Omit<SearchDocument, "message_id" | "fields">>;

/** search: words, phrases, prefixes, fields, scopes, pages. */
export function testSearch(test: StorageTest): void {
  test("all words must match, in any field, newest first", async ({ storage }) => {
    const [first, second, third] = await fill(storage, [
      { subject: "Invoice for March", text: "Please pay" },
      { subject: "Lunch", text: "in March?", attachments: "invoice.pdf" },
      { subject: "Invoice for April" },
    ]);
    assert.deepEqual(await find(storage, '"invoice"'), [third, second, first]);
    assert.deepEqual(await find(storage, '"march" "invoice"'), [second, first]);
    assert.deepEqual(await find(storage, '"invoice" "may"'), []);
  });

  test("a phrase matches consecutive words within one field", async ({ storage }) => {
    const [first] = await fill(storage, [
      { subject: "the quarterly report is here" },
      { subject: "report, quarterly" },
      { subject: "quarterly", text: "report" },
      { text: "quarterly sales report" },
    ]);
    assert.deepEqual(await find(storage, '"quarterly report"'), [first]);
  });

  test("a phrase is found however late it occurs and however often its words do", async ({ storage }) => {
    const often = Array.from({ length: 400 }, (_, turn) => `quarterly ${turn} report`).join(" ");
    const late = Array.from({ length: 600 }, (_, turn) => `word${turn}`).join(" ");
    const [first] = await fill(storage, [
      { text: `${often} quarterly report` },
      { text: often },
      { text: `${late} report quarterly` },
    ]);
    assert.deepEqual(await find(storage, '"quarterly report"'), [first]);
  });

  test("words may come together in one string", async ({ storage }) => {
    const made = documentOf(createKitIds()("msg"), {
      subject: "Lunch",
      text: "the quarterly report is here",
    });
    const joined = Object.entries(made.fields).map(([field, words]) => [field, [words.join(" ")]]);
    await storage.transaction(async (tx) =>
      tx.index([{ ...made, fields: Object.fromEntries(joined) as SearchDocument["fields"] }]),
    );
    for (const q of ['"quarterly report"', "rep", "subject:lunch", '"here"'])
      assert.deepEqual(await find(storage, q), [made.message_id], q);
    for (const q of ['"report quarterly"', "subject:report", "from:lunch", '"quarterly  report is her"'])
      assert.deepEqual(await find(storage, q), [], q);
  });

  test("a prefix matches, alone and at the end of a phrase", async ({ storage }) => {
    const [first, second] = await fill(storage, [
      { text: "a report by Ada" },
      { text: "two reports by Bo" },
      { text: "port by Ada" },
    ]);
    assert.deepEqual(await find(storage, "repo"), [second, first]);
    assert.deepEqual(await find(storage, '"repo"'), []);
    const terms = [{ words: ["by", "ad"], prefix: true, field: null }];
    assert.deepEqual((await storage.search(searchOf({ terms }))).length, 2);
  });

  test("a field's words are searched in that field only", async ({ storage }) => {
    const [first, second] = await fill(storage, [
      { subject: "hello", sender: "Ada <ada@example.com>", recipients: "bo@example.org" },
      { subject: "ada", sender: "bo@example.org", recipients: "ada@example.com" },
    ]);
    assert.deepEqual(await find(storage, "from:ada@example.com"), [first]);
    assert.deepEqual(await find(storage, "to:ada"), [second]);
    assert.deepEqual(await find(storage, "subject:ada to:ada"), [second]);
    assert.deepEqual(await find(storage, "ada"), [second, first]);
  });

  test("accents, case and width are folded", async ({ storage }) => {
    const [first] = await fill(storage, [{ text: "Crème Brûlée in der STRASSE ５" }]);
    for (const q of ["creme", '"CRÈME brulee"', "straße", '"5"'])
      assert.deepEqual(await find(storage, q), [first], q);
  });

  test("text without spaces is found by its consecutive characters", async ({ storage }) => {
    const [first, second, third] = await fill(storage, [
      { text: "東京都の請求書です。" },
      { text: "京都と東山" },
      { text: "ใบแจ้งหนี้ของคุณ" },
    ]);
    assert.deepEqual(await find(storage, "請求書"), [first]);
    assert.deepEqual(await find(storage, "京都"), [second, first]);
    assert.deepEqual(await find(storage, "東京都"), [first]);
    assert.deepEqual(await find(storage, "山"), [second]);
    assert.deepEqual(await find(storage, "東"), [second, first]);
    assert.deepEqual(await find(storage, "แจ้งหนี้"), [third]);
  });

  test("nothing is found outside the account, the inbox or the thread", async ({ storage }) => {
    const [first, second, third, fourth] = await fill(storage, [
      { text: "word", account_id: "acct_1", inbox_id: "inb_1", thread_id: "thr_1" },
      { text: "word", account_id: "acct_1", inbox_id: "inb_1", thread_id: "thr_2" },
      { text: "word", account_id: "acct_1", inbox_id: "inb_2", thread_id: "thr_3" },
      { text: "word acct_1 inb_1", account_id: "acct_2", inbox_id: "inb_3", thread_id: "thr_4" },
    ]);
    const terms = [{ words: ["word"], prefix: false, field: null }];
    assert.deepEqual(await storage.search(searchOf({ terms })), [third, second, first]);
    assert.deepEqual(await storage.search(searchOf({ terms, inbox_id: "inb_1" })), [second, first]);
    assert.deepEqual(await storage.search(searchOf({ terms, inbox_id: "inb_1", thread_id: "thr_1" })), [
      first,
    ]);
    assert.deepEqual(await storage.search(searchOf({ terms, account_id: "acct_2" })), [fourth]);
    assert.deepEqual(await storage.search(searchOf({ terms, inbox_id: "inb_3" })), []);
    assert.deepEqual(await storage.search(searchOf({ terms, account_id: "acct_9" })), []);
    assert.deepEqual(await storage.search(searchOf({ terms, account_id: '" OR word' })), []);
  });

  test("the next page continues before the last id", async ({ storage }) => {
    const ids = await fill(
      storage,
      Array.from({ length: 23 }, (_, index) => ({ text: index % 2 === 0 ? "even word" : "odd word" })),
    );
    const found: string[] = [];
    for (;;) {
      const page = await storage.search(
        searchOf({ ...parseQuery('"even"'), before: found.at(-1) ?? null, limit: 5 }),
      );
      if (page.length === 0) break;
      found.push(...page);
    }
    assert.deepEqual(found, ids.filter((_, index) => index % 2 === 0).toReversed());
  });

  test("messages created within a millisecond or indexed out of order are sorted newest first", async ({
    storage,
  }) => {
    let made = 0;
    const makeId = createIds(() => Date.parse(MADE_AT) + Math.floor(made++ / 4));
    const ids = Array.from({ length: 8 }, () => makeId("msg"));
    for (const id of [...ids.slice(3), ...ids.slice(0, 3)])
      await index(storage, [documentOf(id, { text: "word" })]);
    assert.deepEqual(await find(storage, "word"), ids.toReversed());
  });

  test("a removed message is not found; one indexed again is found by its new words", async ({ storage }) => {
    const [first, second] = await fill(storage, [{ text: "word one" }, { text: "word two" }]);
    await storage.transaction(async (tx) => tx.unindex([first as string, "msg_unknown"]));
    assert.deepEqual(await find(storage, "word"), [second]);
    await storage.transaction(async (tx) => {
      tx.unindex([second as string]);
      tx.index([documentOf(second as string, { text: "other" })]);
    });
    assert.deepEqual(await find(storage, "word"), []);
    assert.deepEqual(await find(storage, "other"), [second]);
    await index(storage, [documentOf(second as string, { text: "third" })]);
    assert.deepEqual(await find(storage, "other"), []);
    assert.deepEqual(await find(storage, "third"), [second]);
  });

  test("a transaction finds what it indexed", async ({ storage }) => {
    const id = createKitIds()("msg");
    await storage.transaction(async (tx) => {
      tx.index([documentOf(id, { text: "word" })]);
      assert.deepEqual(await tx.search(searchOf(parseQuery("word"))), [id]);
      tx.unindex([id]);
      assert.deepEqual(await tx.search(searchOf(parseQuery("word"))), []);
    });
    assert.deepEqual(await find(storage, "word"), []);
  });

  test("everything indexed concurrently is found", async ({ storage }) => {
    const makeId = createKitIds();
    const ids = Array.from({ length: 40 }, () => makeId("msg"));
    await race(40, (turn) =>
      index(storage, [documentOf(ids[turn] as string, { text: `common word${turn}` })]),
    );
    assert.deepEqual(
      await storage.search(searchOf({ ...parseQuery("common"), limit: 100 })),
      ids.toReversed(),
    );
    assert.deepEqual(await find(storage, '"word7"'), [ids[7]]);
  });

  test("what a bulk load indexes is found during it and after it, also when it fails", async ({
    storage,
  }) => {
    const { bulkLoad = (load) => load() } = storage;
    const makeId = createKitIds();
    const ids = Array.from({ length: 90 }, () => makeId("msg"));
    const load = async (from: number, to: number) => {
      for (const id of ids.slice(from, to)) await index(storage, [documentOf(id, { text: "common" })]);
      const found = await storage.search(searchOf({ ...parseQuery("common"), limit: 100 }));
      assert.deepEqual(found, ids.slice(0, to).toReversed());
    };
    await bulkLoad(() => load(0, 40));
    const broken = new Error("the load broke off");
    const failing = bulkLoad(async () => {
      await load(40, 90);
      throw broken;
    });
    await assert.rejects(failing, broken);
    await load(90, 90);
  });

  test("words with a meaning in the database's query language are plain words", async ({ storage }) => {
    const [first] = await fill(storage, [{ text: "NEAR and OR not subject text 1" }]);
    for (const q of ["near", '"and or not"', "text", '"1"', "subject"])
      assert.deepEqual(await find(storage, q), [first], q);
    assert.deepEqual(await find(storage, '"or near"'), []);
    const terms = [{ words: ['"', "* OR a", "near:x"], prefix: true, field: null }];
    assert.deepEqual(await storage.search(searchOf({ terms })), []);
  });
}

function documentOf(message_id: string, draft: Draft): SearchDocument {
  const words = (text = "") => searchWordsOf(text, 2000);
  return {
    message_id,
    account_id: draft.account_id ?? "acct_1",
    inbox_id: draft.inbox_id ?? "inb_1",
    thread_id: draft.thread_id ?? "thr_1",
    fields: {
      subject: words(draft.subject),
      text: words(draft.text),
      sender: words(draft.sender),
      recipients: words(draft.recipients),
      attachments: words(draft.attachments),
    },
  };
}

function searchOf(query: Partial<SearchQuery>): SearchQuery {
  const {
    account_id = "acct_1",
    inbox_id = null,
    thread_id = null,
    terms = [],
    before = null,
    limit = 10,
  } = query;
  return { account_id, inbox_id, thread_id, terms, before, limit };
}

function index(storage: Storage, documents: SearchDocument[]): Promise<void> {
  return storage.transaction(async (tx) => tx.index(documents));
}

async function fill(storage: Storage, drafts: Draft[]): Promise<string[]> {
  const makeId = createKitIds();
  const documents = drafts.map((draft) => documentOf(makeId("msg"), draft));
  await index(storage, documents);
  return documents.map(({ message_id }) => message_id);
}

function find(storage: Storage, q: string): Promise<string[]> {
  return storage.search(searchOf({ terms: parseQuery(q).terms }));
}
