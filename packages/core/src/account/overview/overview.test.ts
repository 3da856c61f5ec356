import { beforeEach, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";

const EMPTY = { approvals: [], questions: [], held: [], failed: [], webhooks: [], domains: [], refusals: [] };
const NO_MORE = { approvals: false, questions: false, held: false, failed: false, agents: false };

let service: TestService;
let account: TestAccount;
beforeEach(async () => {
  service = createTestService();
  account = await service.signUp("agent");
});

const get = () => account.as.overview.get({});

test("of a new account is empty but for its inbox", async () => {
  expect(await get()).toEqual({
    object: "overview",
    day_start: `${service.clock.now().toISOString().slice(0, 10)}T00:00:00.000Z`,
    ...EMPTY,
    agents: [
      {
        ...{ inbox_id: account.inbox.id, email: account.inbox.email },
        display_name: account.inbox.display_name,
        ...{ received: 0, sent: 0, tasks_open: 0, tasks_done: 0, last_at: null },
      },
    ],
    more: NO_MORE,
  });
});

test("a time zone that is none is refused", async () => {
  await expect(account.as.overview.get({ time_zone: "Mars/Olympus" })).rejects.toMatchObject({
    code: "invalid_request",
    param: "time_zone",
  });
});
