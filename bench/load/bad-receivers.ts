import { misbehaviours, startBadReceiver } from "../../test/support/bad-receivers.ts";
import { serveCalls } from "../measure/program.ts";

/** Webhook receivers that misbehave, each in its own way. */
export const calls = {
  /** Starts one receiver per misbehaviour and returns their URLs. */
  async listen() {
    const elsewhere = await startBadReceiver((_, response) => void response.end());
    const bad = await Promise.all(Object.values(misbehaviours(elsewhere.url)).map(startBadReceiver));
    return bad.map(({ url }) => url);
  },
};

serveCalls(calls);
