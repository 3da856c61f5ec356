export { countReport, countSending, sendingHealth } from "./count.ts";
export { dayOf, describeHealth, type SendingHealth } from "./rules.ts";
