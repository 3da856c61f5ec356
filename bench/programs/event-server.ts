import { createLetterslot, type Letterslot } from "@letterslot/core";
import { unitOfWork } from "../../packages/core/src/kernel/unit-of-work.ts";
import { createApp } from "../../packages/server/src/http/app.ts";
import { listenHttp } from "../../packages/server/src/http/listen.ts";
import { limitYoungSpace } from "../../packages/server/src/process/memory.ts";
import { machineNow } from "../measure/clock.ts";
import { serveCalls } from "../measure/program.ts";
import { createConfig, openEngine, type StorageLocation } from "../measure/service.ts";

let service: Letterslot | undefined;
let committed_at = 0;

/** The service over HTTP, which records when its writes were committed. */
export const calls = {
  /** Opens the service. */
  async open(place: StorageLocation) {
    limitYoungSpace();
    const engine = await openEngine(place);
    const { signals } = engine;
    const publish: typeof signals.publish = (names) => {
      // Waiting requests are woken right after the commit.
      committed_at = machineNow();
      return signals.publish(names);
    };
    service = createLetterslot(createConfig({ ...engine, signals: { ...signals, publish } }));
  },
  /** Creates an account and returns its id and key. */
  async onboard(username: string) {
    const { account_id, api_key } = await opened()
      .as({ type: "public", ip: null })
      .accounts.onboard({ username });
    return { account_id, api_key };
  },
  /** Listens and returns the port. */
  async listen() {
    const http = await listenHttp("127.0.0.1", 0);
    http.serve(createApp({ letterslot: opened() }));
    return http.port;
  },
  /** Writes one event of the account and returns when it was committed. */
  async write(account_id: string) {
    const { services } = opened();
    await unitOfWork(services, account_id, services.clock.now(), async (work) => {
      const data = { webhook_id: "whk_1", url: "https://receiver.example/hook" };
      work.publish({ type: "webhook.test", inbox_id: null, data });
    });
    return committed_at;
  },
};

function opened(): Letterslot {
  if (service === undefined) throw new Error("open first");
  return service;
}

serveCalls(calls);
