export { authenticate } from "./keys/authenticate.ts";
export { checkParentKey, newKey } from "./keys/create.ts";
export type { KeyTerms } from "./keys/rules.ts";
export { accountWithoutKey } from "./open.ts";
export { openAccountFor } from "./open-for-person.ts";
export { createOperator, type Operator } from "./operator.ts";
export { WHATS_NEW } from "./whats-new.ts";
