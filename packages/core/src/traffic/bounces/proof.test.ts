import { describe, expect, test } from "vitest";
import type { ReportSender } from "./reporters.ts";
import { countsForAccount, proofOfReport, type RecipientHosts, type ReportFacts } from "./rules.ts";

type MailFacts = Extract<ReportFacts, { channel: "mail" }>;

/** A report of a stranger's host, with the right return path, about one of two recipients. */
const stranger: ReportSender = {
  null_sender: true,
  report_type: true,
  from: "mailer-daemon@evil.test",
  signers: [],
  spf: null,
  helo: "mx.evil.test",
  client_ip: "192.0.2.66",
};
const hosts: RecipientHosts = {
  domain: "example.com",
  names: ["mx1.example.com", "aspmx.l.google.com"],
  addresses: ["198.51.100.25", "2001:db8::25"],
};
const reporters = { names: ["relay.test", "*.bounces.relay.test"], networks: ["203.0.113.0/28"] };
const facts = (change: Partial<MailFacts> = {}, sender: Partial<ReportSender> = {}): MailFacts => ({
  channel: "mail",
  kind: "delivery",
  tie: "path",
  reporters,
  hosts,
  recipients: 2,
  ...change,
  sender: { ...stranger, ...change.sender, ...sender },
});
const relay = { from: "mailer-daemon@relay.test", signers: ["relay.test"] };

describe("a report is proven", () => {
  test.each<[string, ReportFacts, string]>([
    ["by what a mail host said to us", { channel: "dialogue" }, "dialogue"],
    ["by nothing, from a stranger's host", facts(), "none"],
    ["by being about the only recipient", facts({ recipients: 1 }), "single"],
    ["by nothing, without the path", facts({ tie: "message_id", recipients: 1 }, relay), "none"],
    ["by nothing, with the header alone", facts({ tie: "header", recipients: 1 }, relay), "none"],
    [
      "not by an earlier path about the only recipient",
      facts({ tie: "earlier_path", recipients: 1 }),
      "none",
    ],
    // Our relay.
    ["by our relay's signature", facts({}, relay), "relay"],
    ["by our relay's SPF", facts({}, { ...relay, signers: [], spf: "relay.test" }), "relay"],
    ["by our relay, with an earlier path", facts({ tie: "earlier_path" }, relay), "relay"],
    [
      "by our relay, declared a report but with a return path",
      facts({}, { ...relay, null_sender: false }),
      "relay",
    ],
    [
      "not by our relay's mail that is no report",
      facts({}, { ...relay, null_sender: false, report_type: false }),
      "none",
    ],
    [
      "by a name below a starred one",
      facts({}, { from: "postmaster@eu.bounces.relay.test", signers: ["eu.bounces.relay.test"] }),
      "relay",
    ],
    [
      "not by a name below another",
      facts({}, { from: "postmaster@eu.relay.test", signers: ["eu.relay.test"] }),
      "none",
    ],
    [
      "not by a customer's signature below the relay",
      facts({}, { ...relay, signers: ["customer.relay.test"] }),
      "none",
    ],
    ["not by the relay's signature under a stranger's From", facts({}, { signers: ["relay.test"] }), "none"],
    ["not by From alone", facts({}, { from: "mailer-daemon@relay.test" }), "none"],
    ["not by a person at the relay", facts({}, { ...relay, from: "mallory@relay.test" }), "none"],
    ["by the relay's network", facts({}, { client_ip: "203.0.113.9" }), "relay"],
    ["by the relay's network, mapped", facts({}, { client_ip: "::ffff:203.0.113.9" }), "relay"],
    ["not beside the relay's network", facts({}, { client_ip: "203.0.113.16" }), "none"],
    [
      "not by the relay's network with ordinary mail",
      facts({}, { client_ip: "203.0.113.9", null_sender: false, report_type: false }),
      "none",
    ],
    // The recipient's hosts.
    ["by an address of the recipient's host", facts({}, { client_ip: "198.51.100.25" }), "recipient_host"],
    ["by an IPv6 address of it", facts({}, { client_ip: "2001:db8:0::25" }), "recipient_host"],
    [
      "not by that address with a return path",
      facts({}, { client_ip: "198.51.100.25", null_sender: false }),
      "none",
    ],
    [
      "by its name with SPF",
      facts({}, { helo: "mx1.example.com", spf: "mx1.example.com" }),
      "recipient_host",
    ],
    [
      "by a name below it with SPF",
      facts({}, { helo: "a.mx1.example.com", spf: "a.mx1.example.com" }),
      "recipient_host",
    ],
    [
      "by a name below the domain with SPF",
      facts({}, { helo: "out.example.com", spf: "out.example.com" }),
      "recipient_host",
    ],
    ["not by its name without SPF", facts({}, { helo: "mx1.example.com" }), "none"],
    [
      "not by its name with the SPF of another",
      facts({}, { helo: "mx1.example.com", spf: "mx.evil.test" }),
      "none",
    ],
    [
      "not by the provider's other names",
      facts({}, { helo: "mail-a1.google.com", spf: "mail-a1.google.com" }),
      "none",
    ],
    [
      "not by the provider's From and signature",
      facts({}, { from: "mailer-daemon@google.com", signers: ["google.com"] }),
      "none",
    ],
    [
      "not by a name that only ends like the domain",
      facts({}, { helo: "notexample.com", spf: "notexample.com" }),
      "none",
    ],
    ["not while the DNS doesn't tell", facts({ hosts: null }, { client_ip: "198.51.100.25" }), "none"],
    ["not without an address or a name", facts({}, { client_ip: null, helo: null }), "none"],
    // Complaints.
    ["not by a stranger's complaint", facts({ kind: "complaint", tie: "header" }), "none"],
    [
      "by a complaint of the only recipient",
      facts({ kind: "complaint", tie: "header", recipients: 1 }),
      "single",
    ],
    [
      "not by a complaint without path and header",
      facts({ kind: "complaint", tie: "message_id", recipients: 1 }),
      "none",
    ],
    ["by a relay's complaint", facts({ kind: "complaint", tie: "header" }, relay), "relay"],
    [
      "not by a complaint of the recipient's host",
      facts({ kind: "complaint" }, { client_ip: "198.51.100.25" }),
      "none",
    ],
  ])("%s", (_, given, proof) => {
    expect(proofOfReport(given)).toBe(proof);
  });

  test("for the account by all but a single recipient's word", () => {
    const proofs = ["relay", "recipient_host", "feedback_loop", "dialogue", "single", "none"] as const;
    expect(proofs.filter(countsForAccount)).toEqual(proofs.slice(0, 4));
  });
});

describe("a feedback loop", () => {
  const of = (from: string, signer: string, tie: "path" | "header" = "header") =>
    proofOfReport(facts({ kind: "complaint", tie }, { null_sender: false, from, signers: [signer] }));

  test.each([
    ["feedback@arf.mail.yahoo.com", "arf.mail.yahoo.com"],
    ["staff@hotmail.com", "hotmail.com"],
    ["feedbackloop@comcastfbl.senderscore.net", "senderscore.net"],
    ["feedbackloop@yandexfbl.senderscore.net", "yandexfbl.senderscore.net"],
    ["feedback@feedback.comcast.net", "feedback.comcast.net"],
    ["feedbackloop@fbl.fastmail.com", "fbl.fastmail.com"],
    ["fbl@corp.mail.ru", "corp.mail.ru"],
    ["complaints@email-abuse.amazonses.com", "amazonses.com"],
    ["complaints@us-west-2.email-abuse.amazonses.com", "amazonses.com"],
    ["feedbackloop@fbl.cox.net", "fbl.cox.net"],
  ])("of %s, signed by %s, is believed", (from, signer) => {
    expect([of(from, signer), of(from, signer, "path")]).toEqual(["feedback_loop", "feedback_loop"]);
  });

  test.each([
    ["another user of the same provider", "mallory@hotmail.com", "hotmail.com"],
    ["its address with a stranger's signature", "feedback@arf.mail.yahoo.com", "evil.test"],
    ["its address with the signature of the provider's users", "feedback@arf.mail.yahoo.com", "yahoo.com"],
    ["a name that ends like its own", "feedbackloop@evilsenderscore.net", "evilsenderscore.net"],
    ["a name below its own", "staff@x.hotmail.com", "x.hotmail.com"],
    ["a customer of the same relay", "complaints@customer.test", "amazonses.com"],
  ])("is not %s", (_, from, signer) => {
    expect(of(from, signer)).toBe("none");
  });

  test("is not believed about bounces, nor without the header", () => {
    const yahoo = {
      null_sender: false,
      from: "feedback@arf.mail.yahoo.com",
      signers: ["arf.mail.yahoo.com"],
    };
    expect(proofOfReport(facts({}, yahoo))).toBe("none");
    expect(proofOfReport(facts({ kind: "complaint", tie: "message_id" }, yahoo))).toBe("none");
  });
});
