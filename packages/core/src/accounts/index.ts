export { authenticate } from "./keys/authenticate.ts";
export { WHATS_NEW } from "./whats-new.ts";
