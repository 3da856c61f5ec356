export { createRefusals, type Refusals } from "./record.ts";
