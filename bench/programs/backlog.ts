import { createLetterslot } from "@letterslot/core";
import { unitOfWork } from "../../packages/core/src/kernel/unit-of-work.ts";
import { eventData } from "../mail/event-data.ts";
import { serveCalls } from "../measure/program.ts";
import { createConfig, openEngine, type StorageLocation } from "../measure/service.ts";

const PER_TRANSACTION = 100;

/** Writes a backlog for a server to find due. */
export const calls = {
  /** Writes `count` events of an account, each with its deliveries and jobs. No server may have the folder open. */
  async fill({ place, account_id, count }: { place: StorageLocation; account_id: string; count: number }) {
    const { services } = createLetterslot(createConfig(await openEngine(place)));
    for (let done = 0; done < count; done += PER_TRANSACTION) {
      await unitOfWork(services, account_id, services.clock.now(), async (work) => {
        for (let each = done; each < Math.min(done + PER_TRANSACTION, count); each++)
          work.publish({ type: "message.received", inbox_id: null, data: eventData(each) as never });
      });
    }
    await services.storage.close();
  },
};

serveCalls(calls);
