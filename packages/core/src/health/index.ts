export { checkSendingHealth, countSending, sendingHealth } from "./count.ts";
export { dayOf, describeHealth, sendingRates } from "./rules.ts";
