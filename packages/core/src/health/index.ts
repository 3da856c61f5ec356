export { checkSendingHealth, countSending, sendingHealth } from "./count.ts";
export { dayOf, describeHealth } from "./rules.ts";
