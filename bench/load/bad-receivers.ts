import { misbehaviours, startBadReceiver } from "../../test/support/bad-receivers.ts";
import { answerCalls } from "../measure/program.ts";

/** The calls of this program: receivers of webhooks that go wrong, each in its own way. */
export const calls = {
  /** Starts one for each way; answers their addresses. */
  async listen() {
    const elsewhere = await startBadReceiver((_, response) => void response.end());
    const bad = await Promise.all(Object.values(misbehaviours(elsewhere.url)).map(startBadReceiver));
    return bad.map(({ url }) => url);
  },
};

answerCalls(calls);
