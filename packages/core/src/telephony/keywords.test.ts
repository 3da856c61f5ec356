import { describe, expect, test } from "vitest";
import { type Keyword, keywordOf, keywordReply } from "./keywords.ts";

describe("the words that everybody may text to a number", () => {
  test.for<[text: string, keyword: Keyword | undefined]>([
    ["STOP", "stop"],
    ["stop", "stop"],
    [" Stop. ", "stop"],
    ["\u201cSTOP!!\u201d\n", "stop"],
    ["\u200bSTOP", "stop"],
    ["\uff33\uff34\uff2f\uff30", "stop"],
    ["STOPALL", "stop"],
    ["Unsubscribe", "stop"],
    ["CANCEL", "stop"],
    ["END", "stop"],
    ["QUIT", "stop"],
    ["revoke", "stop"],
    ["OPTOUT", "stop"],
    ["ARRET", "stop"],
    ["Arr\u00eat", "stop"],
    ["START", "start"],
    ["yes", "start"],
    ["UNSTOP", "start"],
    ["HELP", "help"],
    ["info?", "help"],
    ["please STOP", undefined],
    ["STOP it", undefined],
    ["DON'T STOP", undefined],
    ["S T O P", undefined],
    ["no", undefined],
    ["", undefined],
    ["...", undefined],
    [`${" ".repeat(50)}STOP`, undefined],
  ])("%j: %s", ([text, keyword]) => {
    expect(keywordOf(text)).toBe(keyword);
  });

  test("each is answered in one part of a text, with the name of who answers", () => {
    for (const keyword of ["stop", "start", "help"] as const) {
      const reply = keywordReply(keyword, "Ada");
      expect(reply).toMatch(/^Ada: /);
      expect(reply.length).toBeLessThanOrEqual(160);
    }
  });
});
