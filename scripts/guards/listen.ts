import { type Guard, guard } from "./guard.ts";

const listen = "packages/cli/src/listen";
const doctor = "packages/server/src/process/doctor";

/** What `letterslot listen` promises its receiver, and what the doctor leaves alone. */
export const listenAndDoctor: Guard[] = [
  guard(
    "an event that listen posts is done only when the receiver took it",
    [`${listen}/post-event.ts`, "status !== null && status >= 200 && status < 300", "status !== null"],
    [`${listen}/listen.test.ts`, "until the receiver takes it"],
  ),
  guard(
    "listen goes on where it was, not at the present",
    [`${listen}/listen.ts`, "let after = from;", "let after = String(Number.MAX_SAFE_INTEGER);"],
    [`${listen}/listen.test.ts`, "starts again where it was stopped"],
  ),
  guard(
    "listen posts in the clear only to private networks",
    [`${listen}/forward-address.ts`, "addresses.some(({ address }) => isPublicAddress(address))", "false"],
    [`${listen}/forward-address.test.ts`, "events don't go to"],
  ),
  guard(
    "the doctor takes no mail of others",
    [`${doctor}/mail-checks.ts`, '(recipient.toLowerCase() === address ? "ok" : "deferred")', '"ok"'],
    ["test/doctor.test.ts", "needs no server"],
  ),
];
