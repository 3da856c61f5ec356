import { isInNetworks } from "@letterslot/core/ports";
import { expect, test } from "vitest";
import { readDirectUrl } from "./direct-url.ts";

test("mail goes to port 25 and public addresses, unless the URL says otherwise", () => {
  const { port, allow } = readDirectUrl("mx:");
  expect([port, isInNetworks("127.0.0.1", allow)]).toEqual([25, false]);
  const tests = readDirectUrl("mx:?port=2525&allow=127.0.0.0/8,::1");
  expect(tests.port).toBe(2525);
  const asked = ["127.0.0.9", "::1", "10.0.0.1"].map((address) => isInNetworks(address, tests.allow));
  expect(asked).toEqual([true, true, false]);
});

test.each([
  ...["", "mx", "smtp://mail.example.com", "mx://mail.example.com", "mx:mail.example.com", "mx:#a"],
  ...["mx:?port=0", "mx:?port=65536", "mx:?port=25x", "mx:?port=", "mx:?port=25&port=26"],
  ...["mx:?allow=", "mx:?allow=localhost", "mx:?allow=10.0.0.0/33", "mx:?verify=false"],
])("%j is refused", (url) => {
  expect(() => readDirectUrl(url)).toThrow(/is not a network such as|must be mx:/);
});
