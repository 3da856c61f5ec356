export { authenticate } from "./keys/authenticate.ts";
export { newAccount } from "./open.ts";
export { WHATS_NEW } from "./whats-new.ts";
