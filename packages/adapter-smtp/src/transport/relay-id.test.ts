import { expect, test } from "vitest";
import { readRelayId } from "./relay-id.ts";

const SES = "0100018c2f3d4e5f-1a2b3c4d-aaaa-bbbb-cccc-0123456789ab-000000";

test.each([
  [`250 Ok ${SES}`, SES],
  [`250 Ok ${SES}\r\n`, SES],
  ["250 2.0.0 Ok: queued as 0f8fad5b-d9cb-469f-a165-70867728950e", "0f8fad5b-d9cb-469f-a165-70867728950e"],
  ["250 2.6.0 <abcdefgh@relay.example> [InternalId=123] Queued mail for delivery", "abcdefgh"],
  ["250 2.0.0 Ok: queued as 4F2B1C", undefined],
  ["250 Great success", undefined],
  ["250 2.0.0 delivered within this service", undefined],
  ["250 2.0.0 internationalisation", undefined],
  ["", undefined],
  [`250 Ok ${"0a".repeat(101)}`, undefined],
  ["250 Ok <>", undefined],
])("of %j the id is %s", (response, id) => {
  expect(readRelayId(response)).toBe(id);
});
