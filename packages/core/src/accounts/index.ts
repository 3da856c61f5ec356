export { authenticate } from "./keys/authenticate.ts";
export { createOperator, type Operator } from "./operator.ts";
export { WHATS_NEW } from "./whats-new.ts";
