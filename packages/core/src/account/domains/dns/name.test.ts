import { expect, test } from "vitest";
import { LIMITS } from "../../../catalogue/limits.ts";
import { checkDomainName } from "./name.ts";
import { wantedRecords } from "./wanted.ts";

const MAIL_DOMAIN = "letterslot.test";

test.each([
  ["example.com", "example.com"],
  [" Example.COM. ", "example.com"],
  ["mail.example.co.uk", "mail.example.co.uk"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["BÜCHER.example", "xn--bcher-kva.example"],
  ["例え。テスト.example", "xn--r8jz45g.xn--zckzah.example"],
  ["mine.github.io", "mine.github.io"],
  ["notletterslot.test", "notletterslot.test"],
  [`${"a".repeat(60)}.${"b".repeat(60)}.example.com`, `${"a".repeat(60)}.${"b".repeat(60)}.example.com`],
])("%s is the domain %s", (text, domain) => {
  expect(checkDomainName(text, MAIL_DOMAIN)).toEqual({ domain });
});

test.each([
  ["ada@example.com", "Send the name of a domain alone"],
  ["https://example.com/", "Send the name of a domain alone"],
  ["example.com:25", "Send the name of a domain alone"],
  ["two words.com", "Send the name of a domain alone"],
  ["x".repeat(10_000), "Send the name of a domain alone"],
  ["192.0.2.1", "An IP address"],
  ["[192.0.2.1]", "An IP address"],
  ["[IPv6:2001:db8::1]", "An IP address"],
  ["", "isn't a valid name"],
  [".", "isn't a valid name"],
  ["example..com", "isn't a valid name"],
  ["-example.com", "isn't a valid name"],
  ["_dmarc.example.com", "isn't a valid name"],
  ["*.example.com", "isn't a valid name"],
  ["xn--zzzzzzzzz.com", "isn't a valid name"],
  ["0x7f.1", "isn't a valid name"],
  ["letterslot.test", "letterslot.test and the names below it are this service's own"],
  ["a.b.Letterslot.test", "letterslot.test and the names below it are this service's own"],
  ["com", "com is a public suffix"],
  ["co.uk", "co.uk is a public suffix"],
  ["github.io", "github.io is a public suffix"],
  ["localhost", "localhost is a public suffix"],
  [`${"a.".repeat(LIMITS.custom_domain_chars / 2)}com`, "longer than 180 characters"],
])("%s can't be used: %s", (text, refusal) => {
  expect(checkDomainName(text, MAIL_DOMAIN)).toEqual({ refusal: expect.stringContaining(refusal) });
});

test("the names of a domain's records fit into the DNS, however long the domain may be", () => {
  const wanted = wantedRecords({
    domain: "x".repeat(LIMITS.custom_domain_chars),
    mail_domain: MAIL_DOMAIN,
    ownership: "",
    dkim: [{ selector: "ls-abc123", value: "" }],
    return_path: "y".repeat(63),
  });
  for (const { name } of wanted) expect(name.length).toBeLessThanOrEqual(LIMITS.dns_name_chars);
});
