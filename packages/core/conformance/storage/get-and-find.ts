import assert from "node:assert/strict";
import type { Condition, Find, Where } from "../../src/ports/storage.ts";
import { accountOf, inboxOf, jobOf, MADE_AT } from "../records.ts";
import type { OpenedStorage, StorageTest } from "./opened.ts";

/** get, find and count: conditions, order, pages. */
export function testReading(test: StorageTest): void {
  test("get returns the record, or undefined", async ({ storage }) => {
    await storage.insert("jobs", jobOf(1));
    assert.deepEqual(await storage.get("jobs", "job_0001"), jobOf(1));
    assert.equal(await storage.get("jobs", "job_0002"), undefined);
  });

  test("follow returns the records that name each other, up to the first that is missing", async ({
    storage,
  }) => {
    const parent = accountOf("parent");
    const account = { ...accountOf("1"), parent_account_id: parent.id };
    const inbox = inboxOf(1, { metadata: { number: 1.5, text: 'zwölf " \\' }, labels: ["a"] });
    const kind = "inbox" as const;
    const address = {
      address: inbox.email,
      domain: inbox.domain,
      kind,
      inbox_id: inbox.id,
      account_id: account.id,
      created_at: MADE_AT,
    };
    const path = [
      ["inbox_id", "inboxes"],
      ["account_id", "accounts"],
      ["parent_account_id", "accounts"],
    ] as const;
    const follow = () => storage.follow("addresses", inbox.email, path);
    const nothing = undefined;
    assert.deepEqual(await follow(), [nothing, nothing, nothing, nothing]);
    await storage.insert("addresses", { ...address, inbox_id: null });
    assert.deepEqual((await follow()).slice(1), [nothing, nothing, nothing]);
    await storage.update("addresses", { address: inbox.email }, { inbox_id: inbox.id });
    assert.deepEqual(await follow(), [address, nothing, nothing, nothing]);
    await storage.insert("inboxes", inbox);
    await storage.insert("accounts", parent);
    assert.deepEqual(await follow(), [address, inbox, nothing, nothing]);
    await storage.insert("accounts", account);
    assert.deepEqual(await follow(), [address, inbox, account, parent]);
    await storage.update("accounts", { id: account.id }, { parent_account_id: null });
    assert.deepEqual((await follow()).slice(2), [{ ...account, parent_account_id: null }, nothing]);
    const others = await Promise.all([follow(), storage.follow("accounts", parent.id, []), follow()]);
    assert.deepEqual(others[1], [parent]);
    assert.deepEqual(others[2], others[0]);
    await storage.transaction(async (tx) => {
      tx.append("accounts", [accountOf("new")]);
      const of_parent = [["parent_account_id", "accounts"]] as const;
      assert.deepEqual(await tx.follow("accounts", "acct_new", of_parent), [accountOf("new"), nothing]);
    });
  });

  test("a record is returned with every type of value unchanged", async ({ storage }) => {
    const inbox = inboxOf(1, {
      require_sender_auth: false,
      labels: ["a", "b"],
      metadata: {
        text: "zwölf 東京 🎈 \u2028 \" ' \\ % _",
        number: -1.5,
        big: 9007199254740991,
        yes: true,
        no: false,
      },
      display_name: "",
      expires_at: "2027-01-01T00:00:00.000Z",
    });
    await storage.insert("inboxes", inbox);
    assert.deepEqual(await storage.get("inboxes", inbox.id), inbox);
  });

  test("nested JSON of any shape is returned unchanged", async ({ storage }) => {
    const payload = {
      list: [1, "2", null, [], {}, [[true]]],
      deep: { a: { b: { c: "ü" } } },
      "": 0,
      'key with "quotes"': "\n\t",
    };
    await storage.insert("jobs", jobOf(1, { payload }));
    assert.deepEqual((await storage.get("jobs", "job_0001"))?.payload, payload);
  });

  test("large numbers are returned unchanged", async ({ storage }) => {
    await storage.insert("counters", { name: "large", count: Number.MAX_SAFE_INTEGER, expires_at: "" });
    assert.equal((await storage.get("counters", "large"))?.count, Number.MAX_SAFE_INTEGER);
  });

  test("a record of a megabyte is returned unchanged", async ({ storage }) => {
    const text = "größer 東京 ".repeat(90_000);
    const empty = { extracted_html: null, headers: {}, extraction: null, decisions: null };
    const body = { message_id: "msg_1", text, html: `<p>${text}</p>`, ...empty };
    await storage.insert("message_bodies", body);
    assert.deepEqual(await storage.get("message_bodies", "msg_1"), body);
  });

  test("changing a record passed in or out does not change what is stored", async ({ storage }) => {
    const inbox = inboxOf(1, { labels: ["a"] });
    await storage.insert("inboxes", inbox);
    inbox.labels.push("b");
    (await storage.get("inboxes", inbox.id))?.labels.push("c");
    assert.deepEqual((await storage.get("inboxes", inbox.id))?.labels, ["a"]);
  });

  const conditions: [string, Where<"inboxes">, number[]][] = [
    ["a value", { username: "box2" }, [2]],
    ["a boolean", { require_sender_auth: false }, [3]],
    ["null", { display_name: null }, [1, 4]],
    ["in", { id: { in: ["inb_0001", "inb_0003", "inb_0003", "inb_0009"] } }, [1, 3]],
    ["in nothing", { id: { in: [] } }, []],
    ["lt", { id: { lt: "inb_0002" } }, [1]],
    ["lte", { id: { lte: "inb_0002" } }, [1, 2]],
    ["gt", { id: { gt: "inb_0003" } }, [4]],
    ["gte and lt", { id: { gte: "inb_0002", lt: "inb_0004" } }, [2, 3]],
    ["a range, which null is outside of", { expires_at: { lt: "2027-06-01T00:00:00.000Z" } }, [2]],
    ["not, which matches null", { display_name: { not: "Two" } }, [1, 3, 4]],
    ["not null", { display_name: { not: null } }, [2, 3]],
    ["has", { labels: { has: "red" } }, [1, 3]],
    ["has, which takes no part of a word", { labels: { has: "re" } }, []],
    [
      "several, combined with AND",
      { labels: { has: "red" }, status: "active", display_name: { not: "Three" } },
      [1],
    ],
    ["none", {}, [1, 2, 3, 4]],
  ];
  for (const [name, where, expected] of conditions) {
    test(`a condition can be ${name}`, async ({ storage }) => {
      await fillInboxes(storage);
      const query: Find<"inboxes"> = { where, order: { by: "id", direction: "asc" }, limit: 10 };
      const ids = (await storage.find("inboxes", query)).map(({ id }) => id);
      assert.deepEqual(
        ids,
        expected.map((name) => `inb_000${name}`),
      );
      assert.equal(await storage.count("inboxes", where, 10), expected.length);
    });
  }

  test("an undefined condition is refused rather than ignored", async ({ storage }) => {
    await storage.insert("jobs", jobOf(1));
    const where = { id: undefined } as unknown as Where<"jobs">;
    await assert.rejects(storage.find("jobs", { where, limit: 1 }));
    await assert.rejects(storage.delete("jobs", where));
    assert.equal(await storage.count("jobs", {}, 10), 1);
  });

  test("text is ordered by its bytes, whatever the locale", async ({ storage }) => {
    const words = [
      "Z",
      "a",
      "_",
      "B",
      "ä",
      "é",
      "z",
      "1",
      "10",
      "2",
      "-",
      "ａ",
      "🎈",
      "\ue000",
      "a_b",
      "aB",
      "ab",
      "",
    ];
    for (const [index, subject_id] of words.entries())
      await storage.insert("jobs", jobOf(index, { subject_id }));
    const found = await storage.find("jobs", {
      where: {},
      order: { by: "subject_id", direction: "asc" },
      limit: 100,
    });
    const byBytes = words.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(
      found.map(({ subject_id }) => subject_id),
      byBytes,
    );
    const between = await storage.find("jobs", {
      where: { subject_id: { gt: "Z", lt: "b" } },
      order: { by: "subject_id", direction: "desc" },
      limit: 100,
    });
    assert.deepEqual(
      between.map(({ subject_id }) => subject_id),
      byBytes.filter((word) => word > "Z" && word < "b").reverse(),
    );
  });

  test("numbers are ordered by value", async ({ storage }) => {
    for (const count of [10, 9, 100, -1, 0])
      await storage.insert("counters", { name: `c${count}`, count, expires_at: "" });
    const found = await storage.find("counters", {
      where: { count: { gte: 0 } },
      order: { by: "count", direction: "desc" },
      limit: 10,
    });
    assert.deepEqual(
      found.map(({ count }) => count),
      [100, 10, 9, 0],
    );
  });

  test("pages by key return every record once, in both directions", async ({ storage }) => {
    for (let name = 0; name < 25; name++)
      await storage.insert("inboxes", inboxOf(name, { account_id: `acct_${name % 2}` }));
    const ascending = await readPages(storage, "asc");
    assert.deepEqual(
      ascending,
      Array.from({ length: 13 }, (_, index) => inboxOf(index * 2).id),
    );
    assert.deepEqual(await readPages(storage, "desc"), ascending.toReversed());
  });

  test("pages of records that have one of a few values are in order, whatever the values", async ({
    storage,
  }) => {
    const terms = ["a", "b", "c"];
    for (let number = 0; number < 12; number++)
      await storage.insert("message_terms", {
        inbox_id: "inb_1",
        term: terms[(number * 7) % 3] ?? "",
        message_id: `msg_${String(number).padStart(2, "0")}`,
      });
    const page = async (wanted: readonly string[], direction: "asc" | "desc", id?: Condition<string>) => {
      const where = {
        inbox_id: "inb_1",
        term: { in: wanted },
        ...(id === undefined ? {} : { message_id: id }),
      };
      const found = await storage.find("message_terms", {
        where,
        order: { by: "message_id", direction },
        limit: 3,
      });
      return found.map(({ message_id }) => Number(message_id.slice(4)));
    };
    assert.deepEqual(await page(terms, "desc"), [11, 10, 9]);
    assert.deepEqual(await page(terms, "desc", { lt: "msg_09" }), [8, 7, 6]);
    assert.deepEqual(await page(terms, "asc", { gt: "msg_09" }), [10, 11]);
    assert.deepEqual(await page(["c", "a", "c"], "asc"), [0, 2, 3]);
    assert.deepEqual(await page(["b"], "asc"), [1, 4, 7]);
    assert.deepEqual(await page(["none", "nobody"], "asc"), []);
    assert.deepEqual(await page([], "asc"), []);
  });

  test("a count stops at its limit", async ({ storage }) => {
    for (let name = 0; name < 8; name++) await storage.insert("jobs", jobOf(name));
    assert.equal(await storage.count("jobs", { subject_id: "msg_1" }, 5), 5);
    assert.equal(await storage.count("jobs", { subject_id: "msg_1" }, 100), 8);
    assert.equal(await storage.count("jobs", { subject_id: "msg_2" }, 5), 0);
  });
}

async function fillInboxes(storage: OpenedStorage["storage"]): Promise<void> {
  await storage.insert("inboxes", inboxOf(1, { labels: ["red", "blue"] }));
  await storage.insert(
    "inboxes",
    inboxOf(2, { display_name: "Two", expires_at: "2027-01-01T00:00:00.000Z", labels: ["blue"] }),
  );
  await storage.insert(
    "inboxes",
    inboxOf(3, { display_name: "Three", require_sender_auth: false, labels: ["red"] }),
  );
  await storage.insert("inboxes", inboxOf(4, { expires_at: "2028-01-01T00:00:00.000Z" }));
}

async function readPages(storage: OpenedStorage["storage"], direction: "asc" | "desc"): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const last = ids.at(-1);
    const after = last === undefined ? {} : { id: direction === "asc" ? { gt: last } : { lt: last } };
    const page = await storage.find("inboxes", {
      where: { account_id: "acct_0", ...after },
      order: { by: "id", direction },
      limit: 5,
    });
    if (page.length === 0) return ids;
    ids.push(...page.map(({ id }) => id));
  }
}
