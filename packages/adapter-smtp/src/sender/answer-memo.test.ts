import type { Dns } from "@letterslot/core";
import { expect, test } from "vitest";
import { createAnswerMemo } from "./answer-memo.ts";
import { createCachedDns, dnsError } from "./cached-dns.ts";
import { checkSender } from "./check-sender.ts";
import type { MailauthResolver } from "./limited-dns.ts";

/** Follows aliases from a name to its last, and counts how often. */
function createFollower() {
  const counts = { evaluations: 0 };
  const follow = (resolver: MailauthResolver) => async (): Promise<string> => {
    counts.evaluations += 1;
    let name = "start";
    for (;;) {
      const next: string | undefined = await resolver(name, "CNAME").then(
        ([first]) => String(first),
        () => undefined,
      );
      if (next === undefined) return name;
      name = next;
    }
  };
  return { counts, evaluate: (resolver: MailauthResolver) => follow(resolver)() };
}

/** Answers with the same object each time, as a cache does. */
function createNames(answers: Record<string, string[]>) {
  const asked: string[] = [];
  const missing = dnsError("ENOTFOUND");
  const resolver: MailauthResolver = async (name) => {
    asked.push(name);
    const answer = answers[name];
    if (answer === undefined) throw missing;
    return answer;
  };
  return { answers, asked, resolver };
}

test("the same answers are evaluated once", async () => {
  const { counts, evaluate } = createFollower();
  const memo = createAnswerMemo<string>();
  const { resolver } = createNames({ start: ["a"], a: ["b"] });
  for (let nth = 0; nth < 3; nth += 1) expect(await memo("key", resolver, evaluate)).toBe("b");
  expect(counts.evaluations).toBe(1);
  expect(await memo("other key", resolver, evaluate)).toBe("b");
  expect(counts.evaluations).toBe(2);
});

test("another answer is evaluated, with no lookup made twice and none that it doesn't take", async () => {
  const { counts, evaluate } = createFollower();
  const memo = createAnswerMemo<string>();
  const { answers, asked, resolver } = createNames({ start: ["a"], a: ["b"], b: ["c"] });
  await memo("key", resolver, evaluate);
  answers["a"] = ["d"];
  asked.length = 0;
  expect(await memo("key", resolver, evaluate)).toBe("d");
  expect(asked).toEqual(["start", "a", "d"]);
  expect(counts.evaluations).toBe(2);
  answers["d"] = ["e"];
  expect(await memo("key", resolver, evaluate)).toBe("e");
});

test("an equal answer that was looked up anew is evaluated, and so is another failure", async () => {
  const { counts, evaluate } = createFollower();
  const memo = createAnswerMemo<string>();
  const { answers, resolver } = createNames({ start: ["a"] });
  await memo("key", resolver, evaluate);
  answers["start"] = ["a"];
  await memo("key", resolver, evaluate);
  expect(counts.evaluations).toBe(2);
  const other: MailauthResolver = async (name, type) =>
    name === "a" ? Promise.reject(dnsError("ETIMEOUT")) : resolver(name, type);
  await memo("key", other, evaluate);
  expect(counts.evaluations).toBe(3);
});

test.each([
  ["from long answers", { start: ["a".repeat(5_000)] }],
  [
    "from many lookups",
    Object.fromEntries(["start", ..."abcdefgh"].map((name, at) => [name, ["abcdefghi"[at] ?? ""]])),
  ],
  ["from answers on which more than the key bears", { start: ["%{l}"] }],
])("nothing is remembered %s", async (_, answers) => {
  const { counts, evaluate } = createFollower();
  const memo = createAnswerMemo<string>((answer) => answer.includes("%"));
  const { resolver } = createNames(answers);
  await memo("key", resolver, evaluate);
  await memo("key", resolver, evaluate);
  expect(counts.evaluations).toBe(2);
});

test("what did not wait for a lookup is not remembered", async () => {
  const memo = createAnswerMemo<string>();
  const resolver: MailauthResolver = () => new Promise(() => undefined);
  const hasty = (result: string) => async (ask: MailauthResolver) => {
    void ask("slow", "TXT");
    return result;
  };
  expect(await memo("key", resolver, hasty("one"))).toBe("one");
  expect(await memo("key", resolver, hasty("other"))).toBe("other");
});

test("what fails is not remembered", async () => {
  const memo = createAnswerMemo<string>();
  const { resolver } = createNames({});
  await expect(memo("key", resolver, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await memo("key", resolver, async () => "whole")).toBe("whole");
});

test("of many results the oldest is forgotten", async () => {
  const { counts, evaluate } = createFollower();
  const memo = createAnswerMemo<string>();
  const { resolver } = createNames({ start: ["a"] });
  for (let nth = 0; nth <= 1_000; nth += 1) await memo(`key ${nth}`, resolver, evaluate);
  await memo("key 1000", resolver, evaluate);
  expect(counts.evaluations).toBe(1_001);
  await memo("key 0", resolver, evaluate);
  expect(counts.evaluations).toBe(1_002);
});

test("SPF is checked for each sender whose local part counts, and for the domain otherwise", async () => {
  const zone: Record<string, string[][] | string[]> = {
    "TXT plain.example": [["v=spf1 ip4:192.0.2.7 -all"]],
    "TXT macro.example": [["v=spf1 exists:%{l}.ok.example -all"]],
    "A ada.ok.example": ["127.0.0.2"],
  };
  const resolve = async (name: string, type: string) => {
    const answer = zone[`${type} ${name}`];
    if (answer === undefined) throw dnsError("ENOTFOUND");
    return answer;
  };
  const settings = {
    dns: createCachedDns({ dns: { resolve } as unknown as Dns, timeout_ms: 20_000 }),
    timeout_ms: 20_000,
    name: "mx.test",
  };
  const spfOf = async (mail_from: string, client_ip = "192.0.2.7", helo = "mx.example") => {
    const raw = Buffer.from("From: ada@else.example\r\n\r\nHello.\r\n");
    const { spf } = await checkSender({ raw, envelope: { mail_from, client_ip, helo } }, settings);
    return `${spf.result} ${spf.domain}`;
  };
  for (let nth = 0; nth < 2; nth += 1) {
    expect(await spfOf("ada@macro.example")).toBe("pass macro.example");
    expect(await spfOf("bo@macro.example")).toBe("fail macro.example");
    expect(await spfOf("ada@plain.example")).toBe("pass plain.example");
    expect(await spfOf("bo@PLAIN.example")).toBe("pass plain.example");
    expect(await spfOf("ada@plain.example", "192.0.2.8")).toBe("fail plain.example");
    expect(await spfOf("", "192.0.2.7", "plain.example")).toBe("pass plain.example");
    expect(await spfOf("", "192.0.2.7", "macro.example")).toBe("fail macro.example");
  }
});
