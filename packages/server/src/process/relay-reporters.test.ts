import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { believedReporters, RELAYS, reportersInWords } from "./relay-reporters.ts";

const believed = (environment: Record<string, string>) => believedReporters(readConfig(environment));

/** A host of each relay as its pages name it, and the domain that its bounces come from. */
const KNOWN: [relay: string, url: string, reporter: string][] = [
  ["Amazon SES", "smtp://u:p@email-smtp.eu-west-1.amazonaws.com:587", "amazonses.com"],
  ["Amazon SES", "smtps://u:p@email-smtp-fips.us-east-1.amazonaws.com", "*.amazonses.com"],
  ["Postmark", "smtp://u:p@smtp.postmarkapp.com:587", "postmarkapp.com"],
  ["Mailgun", "smtp://u:p@smtp.eu.mailgun.org:587", "mailgun.org"],
  ["Resend", "smtps://resend:p@smtp.resend.com", "resend.com"],
  ["SendGrid", "smtp://apikey:p@smtp.sendgrid.net:587", "sendgrid.net"],
  ["Google Workspace", "smtp://u%40firm.test:p@smtp-relay.gmail.com:587", "googlemail.com"],
  ["Microsoft 365", "smtp://bot%40Firm.test:p@smtp.office365.com:587", "firm.test"],
  ["Microsoft 365", "smtp://firm-test.mail.protection.outlook.com:25", "outlook.com"],
  ["Brevo", "smtp://u:p@smtp-relay.brevo.com:587", "brevo.com"],
  ["Mailjet", "smtp://u:p@in-v3.mailjet.com:587", "mailjet.com"],
  ["SparkPost", "smtp://u:p@smtp.sparkpostmail.com:587", "sparkpostmail.com"],
  ["Fastmail", "smtps://u:p@smtp.fastmail.com", "messagingengine.com"],
];

test.each(KNOWN)("%s is known by %s: %s is believed", (relay, url, reporter) => {
  const { reporters, why } = believed({ SMTP_URL: url });
  expect(reporters).toContain(reporter);
  expect(why).toContain(relay);
});

test("every relay of the table is tried here", () => {
  expect(new Set(KNOWN.map(([relay]) => relay))).toEqual(new Set(RELAYS.map(({ name }) => name)));
});

test.each([
  ["another host", "smtp://mail.firm.test:25", ["mail.firm.test"]],
  ["a host that only ends like a relay's", "smtp://smtp.evilmailgun.org", ["smtp.evilmailgun.org"]],
  ["an address", "smtp://192.0.2.7:25", ["192.0.2.7"]],
  ["an IPv6 address", "smtp://[2001:db8::7]:25", ["2001:db8::7"]],
  ["this machine", "smtp://localhost:25", ["127.0.0.1", "::1"]],
  ["mx:", "mx:", []],
])("with %s in SMTP_URL", (_, url, reporters) => {
  expect(believed({ SMTP_URL: url }).reporters).toEqual(reporters);
});

test("TRUSTED_REPORTERS says otherwise, also that nobody is believed", () => {
  const SMTP_URL = "smtp://u:p@smtp.resend.com";
  const TRUSTED_REPORTERS = "Relay.test, *.bounces.relay.test,192.0.2.0/24, 2001:db8::1";
  expect(believed({ SMTP_URL, TRUSTED_REPORTERS }).reporters).toEqual([
    ...["relay.test", "*.bounces.relay.test", "192.0.2.0/24", "2001:db8::1"],
  ]);
  expect(believed({ SMTP_URL, TRUSTED_REPORTERS: "," }).reporters).toEqual([]);
  for (const wrong of ["a b", "*.", "bounce@relay.test", "*"])
    expect(() => believed({ SMTP_URL, TRUSTED_REPORTERS: wrong })).toThrow("TRUSTED_REPORTERS");
});

test("who is believed is said in a sentence", () => {
  expect(reportersInWords(believed({ SMTP_URL: "smtp://u:p@smtp.resend.com" }))).toBe(
    "resend.com is believed about bounces, as SMTP_URL names Resend.",
  );
  expect(reportersInWords(believed({ SMTP_URL: "mx:" }))).toBe(
    "No relay is believed about bounces, as no relay takes mail from here.",
  );
});
