import { describe, expect, test } from "vitest";
import { screeningInput } from "../../../../test/screened-mail.ts";
import type { ParsedMail } from "../../../model/parsed-mail.ts";
import { cheapSignals } from "../screen.ts";
import { type ScreenedSender, senderSignals } from "./sender-signals.ts";

const typesOf = (mail: Partial<ParsedMail>, sender: Partial<ScreenedSender> = {}) => {
  const input = screeningInput({ mail, sender });
  return senderSignals(input.mail, input.sender).map(({ type }) => type);
};
const from = (name: string, address: string): Partial<ParsedMail> => ({ from: [{ name, address }] });
const reply = (address: string): Partial<ParsedMail> => ({ reply_to: [{ name: "", address }] });

test("an authenticated sender whom an owner trusts is not penalised for being new", () => {
  const mail = { from: [{ address: "xkqwrtzpl8841@shop.netlify.app", name: "Ann Field" }] };
  const types = (sender: object) =>
    cheapSignals(screeningInput({ mail, sender: { display_name_of_known: "Ann Field", ...sender } })).map(
      ({ type }) => type,
    );
  expect(types({ trusted: true })).toEqual(
    expect.arrayContaining(["known_name_other_address", "random_sender", "hosted_sender"]),
  );
  expect(types({ trusted: true, authenticated: true })).toEqual([]);
});

describe("authentication", () => {
  test.each<[string, Partial<ScreenedSender>, string[]]>([
    ["nothing known says nothing", {}, []],
    ["a pass says nothing", { authenticated: true, dmarc: "pass" }, []],
    ["a failed DMARC is a sign", { dmarc: "fail" }, ["auth_failed"]],
    ["SPF and DKIM both failed are a sign without a policy", { spf: "fail", dkim: "fail" }, ["auth_failed"]],
    ["SPF failed alone is a weak sign", { spf: "fail" }, ["auth_weak"]],
    [
      "SPF failed by a forwarder of a signed mail is none",
      { authenticated: true, spf: "fail", dkim: "pass" },
      [],
    ],
    ["a temporary trouble is none", { dmarc: "temperror" }, []],
    [
      "a known name with a failed DMARC is a strong sign",
      { dmarc: "fail", display_name_of_known: "Jo Smith" },
      ["auth_failed_known_name"],
    ],
    [
      "a known name from another address is a sign",
      { display_name_of_known: "Jo Smith" },
      ["known_name_other_address"],
    ],
  ])("%s", (_, sender, types) => {
    expect(typesOf({}, sender)).toEqual(types);
  });
});

describe("the From header", () => {
  test.each<[string, Partial<ParsedMail>, string[]]>([
    ["missing or doubled is a sign", { from_headers: 2 }, ["several_from"]],
    [
      "with addresses of two organisations is a sign",
      {
        from: [
          { name: "", address: "a@one.example.com" },
          { name: "", address: "b@two.example.org" },
        ],
      },
      ["several_senders"],
    ],
    [
      "with two addresses of one organisation is none",
      {
        from: [
          { name: "", address: "a@x.example.com" },
          { name: "", address: "b@y.example.com" },
        ],
      },
      [],
    ],
    [
      "that shows another address is a sign",
      from("jo@company.example.com <jo>", "x@elsewhere.example.org"),
      ["name_shows_address"],
    ],
    ["that shows its own address is none", from("jo@sender.example.com", "jo@mail.example.com"), []],
    [
      "that names the list it came through is none",
      from("jo@company.example.com via List", "list@lists.example.org"),
      [],
    ],
    [
      "with a brand from elsewhere is a sign",
      from("PayPal Billing", "x@elsewhere.example.org"),
      ["brand_in_name", "department_name"],
    ],
    ["with a brand from its own domain is none", from("PayPal", "service@paypal.com"), []],
    [
      "with Cyrillic letters among Latin ones is a sign",
      from("Supроrt Team", "x@elsewhere.example.org"),
      ["mixed_script_sender", "department_name"],
    ],
    ["in Cyrillic is none", from("Анна Полевая", "anna@elsewhere.example.org"), []],
    ["one letter off a brand is a sign", from("", "x@paypa1.com"), ["lookalike_sender"]],
    [
      "with a brand before its own name is a sign",
      from("", "x@netflix.com.billing.example.org"),
      ["lookalike_sender", "deep_sender_domain"],
    ],
    [
      "one letter off the recipient's domain is a sign",
      { ...from("", "jo@examp1ecorp.com"), to: [{ name: "", address: "me@examplecorp.com" }] },
      ["lookalike_sender"],
    ],
    [
      "of the recipient's domain is none",
      { ...from("", "jo@examplecorp.com"), to: [{ name: "", address: "me@examplecorp.com" }] },
      [],
    ],
    ["on public hosting is a sign", from("", "x@app-1.firebaseapp.com"), ["hosted_sender"]],
    ["under an abused ending is a weak sign", from("", "x@offers.click"), ["risky_sender"]],
  ])("%s", (_, mail, types) => {
    expect(typesOf(mail)).toEqual(types);
  });
});

describe("replies", () => {
  test.each<[string, Partial<ParsedMail>, string[]]>([
    ["to the same organisation are no sign", reply("help@other.example.com"), []],
    ["to another organisation are a sign", reply("help@elsewhere.example.org"), ["reply_to_elsewhere"]],
    [
      "to another organisation are none for a list",
      { ...reply("list@elsewhere.example.org"), headers: [{ name: "list-id", value: "<l.example.org>" }] },
      [],
    ],
    [
      "to a free mailbox are a sign even for a list",
      { ...reply("jo@gmail.com"), headers: [{ name: "list-id", value: "<l.example.org>" }] },
      ["reply_to_freemail"],
    ],
    ["that refer to nothing are a weak sign", { subject: "Re: your order" }, ["fake_reply"]],
    ["that refer to a mail are none", { subject: "Re: your order", in_reply_to: "<2@inbox.test>" }, []],
  ])("%s", (_, mail, types) => {
    expect(typesOf(mail)).toEqual(types);
  });
});

describe("the recipient's address", () => {
  const to = [{ name: "", address: "agent@inbox.test" }];
  test.each<[string, Partial<ParsedMail>, Partial<ScreenedSender>, string[]]>([
    ["as the sender's is a sign", { to, ...from("", "agent@inbox.test") }, {}, ["own_address"]],
    [
      "as the sender's is none once authenticated",
      { to, ...from("", "agent@inbox.test") },
      { authenticated: true },
      [],
    ],
    [
      "in the subject is a sign",
      { to, subject: "agent@inbox.test: your files" },
      {},
      ["recipient_in_subject"],
    ],
  ])("%s", (_, mail, sender, types) => {
    expect(typesOf(mail, sender)).toEqual(types);
  });
});

describe("the writing style", () => {
  test.each<[string, Partial<ParsedMail>, string[]]>([
    [
      "in decorative letters is a sign",
      { subject: "\u{1D400}\u{1D401}\u{1D402}\u{1D403} now" },
      ["styled_letters"],
    ],
    ["in capitals is a weak sign", { subject: "LAST CHANCE TO WIN" }, ["shouting"]],
    ["in a short code is not shouted", { subject: "RE-4711 IBAN" }, ["subject_code"]],
    ["in doubled marks is a weak sign", { subject: "Hurry!!" }, ["shouting"]],
    ["of a made-up address is a weak sign", from("", "xkcdqwrtz@sender.example.com"), ["random_sender"]],
    ["of a person's address is none", from("", "maria.schwartz83@sender.example.com"), []],
    ["of a bounce address is none", from("", "bounce-a1b2c3d4e5f6@sender.example.com"), []],
  ])("%s", (_, mail, types) => {
    expect(typesOf(mail)).toEqual(types);
  });
});
