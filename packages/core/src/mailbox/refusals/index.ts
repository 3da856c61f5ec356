export { createRefusals, type RefusedCall } from "./record.ts";
