export { createRefusals, type Refusals } from "./record.ts";
export { refusalsFor } from "./within-reach.ts";
