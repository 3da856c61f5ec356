import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../../test/support/processor-time.ts";
import { classifyRefusal, stageIn, statusIn } from "./classify.ts";

describe("a refusal", () => {
  test.each([
    ["550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown", "hard", "unknown_user"],
    ["550-5.1.1 The email account that you tried to reach does not exist.", "hard", "unknown_user"],
    ["550 5.4.1 [ada@example.com]: Recipient address rejected: Access denied", "hard", "unknown_user"],
    [
      "5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
      "hard",
      "unknown_user",
    ],
    [
      "Host or domain name not found. Name service error for name=gone.example type=A: Host not found",
      "hard",
      "unknown_host",
    ],
    ["all relevant MX records point to non-existent hosts", "hard", "unknown_host"],
    ["550 5.1.6 recipient no longer on server: ada@example.com", "hard", "moved"],
    ["556 5.1.10 The domain does not accept mail (Null MX)", "hard", "takes_no_mail"],
    ["552 5.2.2 The recipient's inbox is out of storage space", "soft", "mailbox_full"],
    ["452 4.2.2 <ada@example.com> Quota exceeded (mailbox for user is full)", "soft", "mailbox_full"],
    ["552 5.3.4 Message size exceeds fixed maximum message size (10485760)", "soft", "too_large"],
    [
      "553 5.1.8 <root@host.example>... Domain of sender address root@host.example does not exist",
      "soft",
      "sender_refused",
    ],
    [
      "550 5.7.26 Unauthenticated email from example.com is not accepted due to domain's DMARC policy",
      "soft",
      "authentication",
    ],
    ["554 5.7.1 Service unavailable; client [192.0.2.1] blocked using a list", "soft", "host_refused"],
    [
      "550 5.7.25 The IP address sending this message does not have a PTR record setup",
      "soft",
      "host_refused",
    ],
    ["554 5.7.1 <ada@example.com>: Relay access denied", "soft", "relaying"],
    ["452 4.3.2 Connection rate limit exceeded.", "soft", "rate"],
    ["554 5.7.0 Reject, id=1-2 - SPAM", "soft", "spam"],
    ["550 5.2.1 The email account that you tried to reach is disabled.", "soft", "suspended"],
    ["connect to mail.example.com[192.0.2.1]:25: Connection timed out", "soft", "unreachable"],
    ["554 5.7.9 Message not accepted for policy reasons.", "soft", "policy"],
    ["451 4.3.0 Temporary lookup failure", "soft", "server_trouble"],
    ["554 5.0.0 Bye", "soft", "unknown"],
  ] as const)("%s is %s: %s", (text, kind, reason) => {
    expect(classifyRefusal({ text, status: statusIn(text), stage: null })).toEqual({
      hard: kind === "hard",
      reason,
    });
  });

  test.each([
    ["5.1.1", "unknown_user", true],
    ["5.1.2", "unknown_host", true],
    ["5.2.2", "mailbox_full", false],
    ["5.7.1", "policy", false],
    ["4.4.7", "unreachable", false],
    ["5.0.0", "unknown", false],
    [null, "unknown", false],
  ] as const)("without words, %s is %s", (status, reason, hard) => {
    expect(classifyRefusal({ text: "", status, stage: null })).toEqual({ reason, hard });
  });

  test("user unknown counts in reply to the address, not to the body, and not as a bare 550", () => {
    const text = "550 ada@example.com: User unknown";
    expect(classifyRefusal({ text, status: null, stage: "rcpt" }).hard).toBe(true);
    expect(classifyRefusal({ text, status: null, stage: "data" })).toEqual({
      reason: "filtered",
      hard: false,
    });
    expect(classifyRefusal({ text, status: "5.0.0", stage: null }).hard).toBe(false);
    expect(classifyRefusal({ text, status: "5.7.1", stage: null }).hard).toBe(false);
    expect(classifyRefusal({ text, status: "5.1.1", stage: "data" }).hard).toBe(true);
    expect(
      classifyRefusal({ text: "The recipient name is not recognized", status: null, stage: null }).hard,
    ).toBe(true);
  });

  test("a domain that can't be found for now may be found later", () => {
    const text = "DNS type 'mx' lookup of example.com responded with code NXDOMAIN";
    expect(classifyRefusal({ text, status: "4.0.0", stage: null })).toEqual({
      reason: "unknown_host",
      hard: false,
    });
    expect(classifyRefusal({ text, status: "5.4.4", stage: null }).hard).toBe(true);
  });
});

describe("a status code before words", () => {
  test.each([
    ["5.2.2", "550 5.2.2 <ada@example.com>: user unknown or over quota", "mailbox_full", false],
    ["4.2.2", "452 4.2.2 no such user has room", "mailbox_full", false],
    ["5.2.3", "552 5.2.3 no mailbox here takes so much", "too_large", false],
    ["5.3.4", "552 5.3.4 address rejected", "too_large", false],
    ["5.1.8", "550 5.1.8 unknown user ada@example.com", "sender_refused", false],
    ["4.4.7", "4.4.7 host unknown after five days", "unreachable", false],
  ])("%s is sure of the address: %s", (status, text, reason, hard) => {
    for (const stage of ["rcpt", null] as const)
      expect(classifyRefusal({ text, status, stage })).toEqual({ reason, hard });
  });

  test.each([
    ["550 5.1.1 User unknown. To fight spam we log such attempts.", "unknown_user"],
    ["550 5.1.1 No such user here; see our authentication policy", "unknown_user"],
    ["550 5.1.1 Delivery is not allowed\nGiving up on 192.0.2.1.", "unknown_user"],
    ["550 5.1.2 Unknown host; suspicious characters were removed", "unknown_host"],
    ["550 5.1.6 has moved, the account is closed", "moved"],
    ["550 5.4.310 DNS domain example.com does not exist, giving up", "unknown_host"],
    ["5.4.4 Host not found; connection timed out", "unknown_host"],
  ])("nobody has the address, whatever is said besides: %s", (text, reason) => {
    expect(classifyRefusal({ text, status: statusIn(text), stage: null })).toEqual({ reason, hard: true });
  });

  test.each([
    ["550 5.1.1 mailbox is full", "mailbox_full"],
    ["550 5.1.1 your host is on a block list; user unknown", "host_refused"],
    ["550 5.1.1 the sender is unknown", "sender_refused"],
    ["550 5.1.1 looks like spam", "spam"],
    ["550 5.1.1 this account is suspended", "suspended"],
    ["450 4.1.1 user unknown for now, service not available", "server_trouble"],
  ])("unless the words say whose fault it is: %s", (text, reason) => {
    expect(classifyRefusal({ text, status: statusIn(text), stage: null })).toEqual({ reason, hard: false });
  });
});

describe("vague words beside a code for an address that nobody has", () => {
  test.each([
    ["5.4.4 connect to mx.example.com: Connection timed out", "unreachable"],
    ["5.4.4 network unreachable", "unreachable"],
    ["550 5.4.310 DNS domain example.com gave no answer, giving up", "unreachable"],
    ["550 5.1.1 you are not allowed to send to this restricted list", "policy"],
    ["550 5.1.1 you do not have permission to post to this list", "policy"],
  ])("leave an address that may be good: %s", (text, reason) => {
    for (const stage of ["before", "rcpt", "data", null] as const)
      expect(classifyRefusal({ text, status: statusIn(text), stage })).toEqual({ reason, hard: false });
  });

  test("count where the mail or its sender was refused, not the address", () => {
    const text = "550 5.1.1 message rejected by policy";
    const of = (stage: "before" | "rcpt" | "data" | null) =>
      classifyRefusal({ text, status: "5.1.1", stage });
    for (const stage of ["data", "before"] as const)
      expect(of(stage)).toEqual({ reason: "policy", hard: false });
    for (const stage of ["rcpt", null] as const)
      expect(of(stage)).toEqual({ reason: "unknown_user", hard: true });
  });
});

describe("a refusal before any recipient was named", () => {
  const text = "550 user unknown";
  test("says nothing about the address", () => {
    expect(classifyRefusal({ text, status: null, stage: "before" })).toEqual({
      reason: "filtered",
      hard: false,
    });
  });
  test.each([
    "550 no (in reply to MAIL FROM command)",
    "550 no (in reply to EHLO command)",
    "SMTP error from remote mail server after initial connection: 550 no",
    "Connected to 192.0.2.1 but sender was rejected.",
    ">>> MAIL From:<bo@example.org>\n<<< 550 no",
  ])("is known by the words: %j", (said) => {
    expect(stageIn(said)).toBe("before");
  });
  test("isn't one where the name of the sending host is refused in reply to RCPT", () => {
    const said = "504 5.5.2 <mail>: Helo command rejected: Host not found (in reply to RCPT TO command)";
    expect(classifyRefusal({ text: said, status: statusIn(said), stage: stageIn(said) })).toEqual({
      reason: "host_refused",
      hard: false,
    });
  });
});

test("a status about the mailbox outweighs user unknown, unless the address itself was refused", () => {
  const text = "550 5.2.1 <ada@example.com>... User unknown";
  expect(classifyRefusal({ text, status: "5.2.1", stage: null })).toEqual({
    reason: "filtered",
    hard: false,
  });
  expect(classifyRefusal({ text, status: "5.2.1", stage: "rcpt" }).hard).toBe(true);
});

test.each(["spam", "password-reset", "virus", "go-away.policy"])(
  "the name in an address, %s, is no reason",
  (name) => {
    const text = `550 5.1.1 <${name}@example.com>: Recipient address rejected: User unknown`;
    expect(classifyRefusal({ text, status: "5.1.1", stage: "rcpt" })).toEqual({
      reason: "unknown_user",
      hard: true,
    });
  },
);

test("a domain that takes no mail for now is soft, whatever its records say", () => {
  const text = "The domain example.com doesn't receive email: returned Null MX";
  expect(classifyRefusal({ text, status: "4.0.0", stage: null })).toEqual({
    reason: "takes_no_mail",
    hard: false,
  });
  expect(classifyRefusal({ text, status: "5.1.10", stage: null }).hard).toBe(true);
});

test.each([
  ["5.1.0 - Unknown address error 550-'5.7.1 Access denied' (delivery attempts: 0)", "policy", false],
  ["5.1.0 - Unknown address error 552-'5.2.2 mailbox full' (delivery attempts: 0)", "mailbox_full", false],
  ["5.1.0 - Unknown address error 550-'5.1.1 user unknown' (delivery attempts: 0)", "unknown_user", true],
  ["5.3.0 - Other mail system problem 554-'5.7.1 no SPF' (delivery attempts: 0)", "authentication", false],
  [
    "5.1.2 - Bad destination host 'DNS Hard Error looking up example.com (MX): NXDomain'",
    "unknown_host",
    true,
  ],
  ["5.1.0 - Unknown address error 'bye'", "unknown_user", true],
])("an answer that a gateway quotes decides, not the gateway's heading: %s", (text, reason, hard) => {
  expect(classifyRefusal({ text, status: statusIn(text), stage: null })).toEqual({ reason, hard });
});

test("the most specific status is used, and an IP address is not taken for one", () => {
  expect(statusIn("550 5.0.0 (5.2.2 mailbox full)")).toBe("5.2.2");
  expect(statusIn("5.1.0 - Unknown address error 550-'5.7.1 denied'")).toBe("5.7.1");
  expect(statusIn("5.0.0 (5.1.0)")).toBe("5.1.0");
  expect(statusIn("5.0.0")).toBe("5.0.0");
  expect(statusIn("connect to 5.1.1.7 or 192.5.1.1 failed")).toBeNull();
});

test("the command that was refused is read from the words", () => {
  expect(stageIn("550 no (in reply to RCPT TO command)")).toBe("rcpt");
  expect(stageIn("SMTP error from remote mail server after RCPT TO:<ada@example.com>: 550 no")).toBe("rcpt");
  expect(stageIn("550 no [RCPT_TO]")).toBe("rcpt");
  expect(stageIn("550 <ada@example.com>: Recipient address rejected: User unknown")).toBe("rcpt");
  expect(stageIn("550 no (in reply to end of DATA command)")).toBe("data");
  expect(stageIn(">>> DATA\n<<< 550 no")).toBe("data");
  expect(stageIn("192.0.2.1 failed after I sent the message.\nRemote host said: 550 no")).toBe("data");
  expect(stageIn("550 no")).toBeNull();
  expect(stageIn("550 no\n\nMAIL FROM: agent@example.org\nRCPT TO: ada@example.com")).toBeNull();
});

test("a long refusal is read in linear time", async () => {
  const text = `${"mailbox ".repeat(50_000)}${"address ".repeat(50_000)}`;
  expect(await measureThreadCpu(() => classifyRefusal({ text, status: null, stage: null }))).toBeLessThan(
    1_000,
  );
});
