export { authenticate } from "./keys/authenticate.ts";
export { openAccountFor } from "./open-for-person.ts";
export { createOperator, type Operator } from "./operator.ts";
export { renewCaller } from "./renew-caller.ts";
