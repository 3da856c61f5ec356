import { describe, expect, test } from "vitest";
import { screeningInput } from "../../../../test/screened-mail.ts";
import { cheapSignals } from "../screen.ts";
import { headerSignals } from "./header-signals.ts";

const typesOf = (mail: Parameters<typeof screeningInput>[0]) =>
  headerSignals(screeningInput(mail).mail).map(({ type }) => type);
const withHeader = (name: string, value: string) => typesOf({ mail: { headers: [{ name, value }] } });

describe("the date", () => {
  const received = "from out.example.com by mx.example.org with ESMTPS; Fri, 20 Nov 2026 08:00:00 +0000";
  const dated = (date: string | null) =>
    headerSignals(screeningInput({ mail: { date, headers: [{ name: "received", value: received }] } }).mail);

  test.each<[string, string | null]>([
    ["of the hour of arrival", "2026-11-20T07:59:58.000Z"],
    ["of a clock in the wrong zone", "2026-11-20T19:00:00.000Z"],
    ["of a mail that waited for days", "2026-11-10T08:00:00.000Z"],
    ["that is missing", null],
  ])("%s is no signal", (_, date) => {
    expect(dated(date)).toEqual([]);
  });

  test.each([
    ["half a day", "2026-11-20T21:00:00.000Z"],
    ["12 days", "2026-12-02T20:00:00.000Z"],
  ])("ahead of the arrival by %s is a signal", (what, date) => {
    expect(dated(date)).toEqual([
      {
        type: "date_ahead",
        detail: `The mail is dated ${what} after it was received.`,
        detail_if_held: "The mail is dated after it was received.",
      },
    ]);
  });

  test("of a mail without a readable Received header is no signal", () => {
    const headers = [{ name: "received", value: "by mx.example.org; some day" }];
    expect(typesOf({ mail: { date: "2036-01-01T00:00:00.000Z", headers } })).toEqual([]);
    expect(typesOf({ mail: { date: "2036-01-01T00:00:00.000Z" } })).toEqual([]);
  });
});

test.each([
  ["undisclosed-recipients:;", ["undisclosed_recipients"]],
  ["Undisclosed Recipients <nobody@lists.example.com>", ["undisclosed_recipients"]],
  ["agent@inbox.test", []],
  ["", []],
])("a To of %j", (to, types) => {
  expect(withHeader("to", to)).toEqual(types);
});

test.each([
  ["<1@sender.example.com>", []],
  [" <a.b=c%d@[192.0.2.1]> (added by the server)", []],
  ["1@sender.example.com", ["odd_message_id"]],
  ["<1@>", ["odd_message_id"]],
  ["<a b@sender.example.com>", ["odd_message_id"]],
  [`<${"a".repeat(600)}@sender.example.com>`, ["odd_message_id"]],
])("a Message-ID of %j", (id, types) => {
  expect(withHeader("message-id", id)).toEqual(types);
});

describe("a subject", () => {
  test.each([
    "ADV: New roofs",
    "[AD] New roofs",
    "(광고) 가을 세일",
    "【广告】新品",
    "未承諾広告※ご案内",
    "[광 고] 안내",
  ])("labelled as advertising is a signal: %s", (subject) => {
    expect(typesOf({ mail: { subject } })).toEqual(["labelled_advertising"]);
  });

  test.each(["Advice on the roof", "Ad hoc meeting", "Ada: the roof", "About the 广告 team", "Re: ads"])(
    "is no signal: %s",
    (subject) => {
      expect(typesOf({ mail: { subject } })).toEqual([]);
    },
  );
});

test("header signals are kept after a timeout", () => {
  expect(
    cheapSignals(screeningInput({ mail: { subject: "ADV: New roofs" } })).map(({ type }) => type),
  ).toEqual(["labelled_advertising"]);
});

test.each<[string, string, string[]]>([
  ["x-php-originating-script", "1001:send.php", ["sent_by_script"]],
  ["x-mailer", "PHPMailer 6.8.0", ["sent_by_script"]],
  ["x-mailer", "Microsoft Outlook 16.0", []],
  ["x-priority", "1 (Highest)", ["marked_urgent"]],
  ["x-priority", "3", []],
  ["importance", "High", ["marked_urgent"]],
  ["importance", "normal", []],
])("a header %s of %s", (name, value, types) => {
  expect(withHeader(name, value)).toEqual(types);
});
