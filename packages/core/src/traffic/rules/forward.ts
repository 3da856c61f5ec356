import type { Services } from "../../kernel/context.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { sendForwarded } from "../forwarding/index.ts";
import { ruleFaults } from "./makers.ts";

/** Forwards a mail, unless none of the rules that chose it may do that any more. */
export const forwardMail = (services: Services, job: JobRecord): Promise<void> =>
  sendForwarded(services, job, async (storage, rule_ids, now) => {
    const rules = await storage.find("inbox_rules", {
      where: { id: { in: [...rule_ids] }, enabled: true },
      limit: rule_ids.length,
    });
    const able = rules.filter(({ actions }) => actions.forward_to === job.payload["forwarding_id"]);
    const faults = await ruleFaults(storage, able, now);
    return able.some(({ id }) => !faults.has(id));
  });
