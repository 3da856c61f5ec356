import { createLetterslot } from "@letterslot/core";
import { letInApp } from "@letterslot/core/testing";
import { keyInFolder } from "../../packages/adapter-sqlite/src/key-in-folder.ts";
import type { calls as loadCalls } from "../load/http-load.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { measureRequests } from "../measure/measure-requests.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, cpuEach, rate, ratio } from "../measure/rounds.ts";
import { createConfig, openEngine } from "../measure/service.ts";
import { summary } from "../measure/statistics.ts";
import type { Metric } from "../metric.ts";

const CONNECTIONS = 16;
const BASE_URL = "http://localhost:8025";
const OWNER = "olga@owner.example";

/** The kinds of callers: what an app's token costs against a key, and how many accounts open in a second. */
export const callers: Metric = {
  title: "Callers: GET an inbox by an app that a person let in against a key; POST /onboard",
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withCleanup(async (cleanups) => {
        const load = await startProgram<typeof loadCalls>("load/http-load.ts", cleanups);
        const { api_key, access_token, inbox_id } = await openWithApp(folder);
        const { pid, base_url, end } = await startProduct(folder, { SMTP_PORT: "off", BASE_URL });
        cleanups.push(end);

        const get = (token: string) => (ms: number) =>
          measureRequests(load, pid, {
            base_url,
            method: "GET",
            paths: [`/api/v1/inboxes/${inbox_id}`],
            headers: { authorization: `Bearer ${token}` },
            connections: CONNECTIONS,
            ms,
          });
        const reads = await alternate(run, { app: get(access_token), key: get(api_key) });
        const { signUps } = await alternate(run, {
          signUps: (ms: number) =>
            measureRequests(load, pid, {
              base_url,
              method: "POST",
              paths: ["/api/v1/onboard"],
              headers: {},
              body: JSON.stringify({ username: "a{{new}}" }),
              unkeyed: true,
              connections: CONNECTIONS,
              ms,
            }),
        });
        return {
          figures: [
            {
              name: "callers: CPU of a GET by an app / by a key",
              unit: "×",
              ...ratio(reads.app, reads.key, cpuEach),
              target: { at_most: 1.3 },
            },
            { name: "callers: GET by an app", unit: "/s", ...summary(reads.app.map(rate)) },
            { name: "callers: GET by a key", unit: "/s", ...summary(reads.key.map(rate)) },
            {
              name: "callers: POST /onboard",
              unit: "/s",
              ...summary(signUps.map(rate)),
              target: { at_least: 500 },
            },
            { name: "callers: CPU of POST /onboard", unit: "µs", ...summary(signUps.map(cpuEach)) },
          ],
        };
      }),
    ),
};

/** A folder for the server with an account, its key, and the token of an app that its owner admitted. */
async function openWithApp(folder: string) {
  const encryptionKeys = [keyInFolder(folder)];
  const options = { base_url: BASE_URL };
  const letterslot = createLetterslot(
    createConfig(await openEngine({ folder }), { encryptionKeys, ...options }),
  );
  try {
    const publicly = letterslot.as({ type: "public", ip: null });
    const { account_id, api_key, inbox } = await publicly.accounts.onboard({ username: "agent" });
    await letterslot.operator.accounts.authority.give({ account_id, email: OWNER });
    const { clock } = letterslot.services;
    const app = { email: OWNER, scope: ["inbox_read" as const] };
    const { access_token } = await letInApp({ letterslot, clock }, { account_id }, app);
    return { api_key, access_token, inbox_id: inbox.id };
  } finally {
    await letterslot.services.storage.close();
  }
}
