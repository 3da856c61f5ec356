import { disk } from "./disk.ts";
import { doors } from "./doors.ts";
import type { Guard } from "./guard.ts";
import { mail } from "./mail.ts";
import { once } from "./once.ts";
import { owners } from "./owners.ts";
import { requests } from "./requests.ts";
import { secrets } from "./secrets.ts";
import { webhooks } from "./webhooks.ts";

/** Every guard that a test was seen to need. A new line of SECURITY.md comes with one here. */
export const GUARDS: readonly Guard[] = [
  ...doors,
  ...requests,
  ...owners,
  ...mail,
  ...webhooks,
  ...once,
  ...disk,
  ...secrets,
];
