export { applyForwarding, forwardingByToken } from "./confirm.ts";
export { checkForwarding, endUnlessVerified } from "./end.ts";
export { sendForwarded } from "./forward.ts";
export { forwardAll } from "./forward-all.ts";
export { sendForwardingLetter } from "./letter.ts";
export { cameBack } from "./marks.ts";
export { withSkipped } from "./skipped.ts";
