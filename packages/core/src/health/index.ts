export { checkSendingHealth, countSending, sendingHealth } from "./count.ts";
export { dayOf, describeHealth, type SendingHealth, sendingRates } from "./rules.ts";
