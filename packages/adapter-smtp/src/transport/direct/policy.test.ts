import { afterEach, expect, test } from "vitest";
import { startDnsServer, type Zone } from "../../../test/dns-server.ts";
import { policyText, startPolicyHost } from "../../../test/policy-host.ts";
import { createDns } from "../../sender/dns.ts";
import { createPolicies } from "./policy.ts";

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop();
});

const DAY_MS = 86_400_000;

/** A domain whose policy is looked up, with a clock moved by hand. */
async function domainWith(text: string | undefined) {
  const host = await startPolicyHost("example.org", text);
  const zone: Zone = {
    "TXT _mta-sts.example.org": ["v=STSv1; id=1"],
    "A mta-sts.example.org": ["127.0.0.1"],
  };
  const dnsServer = await startDnsServer(zone);
  running.push(host.close, dnsServer.close);
  const dns = createDns({ server: dnsServer.server, timeoutMs: 100 });
  let time = 0;
  const policies = createPolicies({ dns, isAllowed: () => true, hosts: host, now: () => time });
  return {
    ...host,
    publish: (records: Zone[string]) => (zone["TXT _mta-sts.example.org"] = records),
    pass: (milliseconds: number) => (time += milliseconds),
    allows: async (name: string) => (await policies("example.org")).allows(name),
  };
}

test("a policy is kept while its record and its host are gone, until it is over", async () => {
  const domain = await domainWith(policyText("enforce", "mx.example.org", 86_400));
  expect(await domain.allows("mx.example.net")).toBe(false);
  domain.say(undefined);
  for (const records of [
    [],
    "servfail",
    "timeout",
    ["v=STSv1; id=1", "v=STSv1; id=2"],
  ] satisfies Zone[string][]) {
    domain.publish(records);
    expect(await domain.allows("mx.example.net")).toBe(false);
  }
  domain.pass(DAY_MS);
  expect(await domain.allows("mx.example.net")).toBe(true);
});

test("a policy is fetched again when its record has another id, and kept if that fails", async () => {
  const domain = await domainWith(policyText("enforce"));
  await domain.allows("mx.example.org");
  domain.say(policyText("enforce", "mx.example.net"));
  expect([await domain.allows("mx.example.net"), domain.fetched.length]).toEqual([false, 1]);
  domain.publish(["v=STSv1; id=2"]);
  expect([await domain.allows("mx.example.net"), domain.fetched.length]).toEqual([true, 2]);
  domain.say("nothing");
  domain.publish(["v=STSv1; id=3"]);
  expect([await domain.allows("mx.example.org"), domain.fetched.length]).toEqual([false, 3]);
});

test("a policy that can't be fetched is asked for again after an hour", async () => {
  const domain = await domainWith(undefined);
  for (const _ of [1, 2]) expect(await domain.allows("mx.example.net")).toBe(true);
  expect(domain.fetched).toHaveLength(1);
  domain.say(policyText("enforce"));
  domain.pass(DAY_MS / 24);
  expect([await domain.allows("mx.example.net"), domain.fetched.length]).toEqual([false, 2]);
});
