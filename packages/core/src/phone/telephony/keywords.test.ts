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
    ["opt out", "stop"],
    ["OPT-OUT", "stop"],
    ["Opt\u2011Out!", "stop"],
    ["opt_out", "stop"],
    ["\u201cOpt  out.\u201d", "stop"],
    ["Opt-Out\u200b", "stop"],
    ["ST\u200dOP", "stop"],
    ["stop all", "stop"],
    ["(stop)", "stop"],
    ["*end*", "stop"],
    ["Quit?", "stop"],
    ["un-subscribe", undefined],
    ["opt out of blue", undefined],
    ["out opt", undefined],
    ["opt", undefined],
    ["the end", undefined],
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
