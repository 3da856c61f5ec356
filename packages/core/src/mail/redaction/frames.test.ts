import { describe, expect, test } from "vitest";
import { SENTENCES } from "../../catalogue/letter-frames.ts";
import { signInLetter } from "../../owners/notifications/index.ts";
import { framesIn } from "./frames.ts";

const letter = signInLetter({
  code: "123456",
  link: "https://mail.example/x",
  host: "mail.example",
  opens: "session",
  asked_from: undefined,
});

/** The sign-in letter as the release before letters were registered wrote it. */
const EARLIER = `Your sign-in code

Enter this code where you asked for it, on mail.example:

    123456

Or open this link, in the browser in which you asked for it:

Sign in:
https://mail.example/api/v1/owners/sign-in?token=x

Never pass this code on; your agent doesn't need it.

--\u0020
The code and the link are valid for 15 minutes.
Didn't ask for this? Ignore this email: without it nobody can sign in.
`;

describe("the sentences of a letter stand in a mail", () => {
  test.each([
    ["as it is", letter.text],
    ["as the release before wrote it", EARLIER],
    ["quoted", letter.text.replace(/^/gm, "> ")],
    ["quoted twice, with bars", letter.text.replace(/^/gm, ">> | ")],
    ["wrapped anew", letter.text.replace(/ /g, "\r\n> ")],
    ["with other apostrophes", letter.text.replaceAll("'", "\u2019")],
    [
      "in full-width letters",
      letter.text.replace(/[a-z]/g, (each) => String.fromCodePoint(each.charCodeAt(0) + 0xfee0)),
    ],
    ["in capitals", letter.text.toUpperCase()],
    ["with soft hyphens and joiners", letter.text.replaceAll("o", "o\u00ad\u200b")],
    ["cut after its code", letter.text.slice(0, letter.text.indexOf("Never pass"))],
    ["in the middle of other words", `Hello, I got this.\n${letter.text}\nWhat is it?`],
  ])("%s", (_, text) => {
    expect([...framesIn(text)]).toEqual(["sign_in"]);
  });
});

describe("they don't stand in", () => {
  test.each([
    ["nothing", ""],
    ["a mail about one of them", `It says "${SENTENCES.sign_in.secret}" Is that from you?`],
    [
      "another service's code",
      "Your sign-in code\n\n493817\n\nEnter this code where you want to sign in. It is valid for 15 minutes. If you didn't ask for it, ignore this email.",
    ],
    [
      "another service's request for approval",
      "Your expense report needs your approval. This request expires on Friday. Sent on behalf of Bob.",
    ],
    [
      "a newsletter",
      "Sent by Example Inc. You can change your email preferences or unsubscribe. Reply to this email with questions.",
    ],
    ["a long text", "Once they are back, we go on. ".repeat(10_000)],
  ])("%s", (_, text) => {
    expect([...framesIn(text)]).toEqual([]);
  });
});

test("no letter's sentences are empty once they are folded, so that none stands everywhere", () => {
  for (const sentences of Object.values(SENTENCES))
    for (const sentence of Object.values(sentences))
      expect(sentence.replace(/[^a-z]/gi, "").length).toBeGreaterThan(5);
});
