export { authenticate } from "./keys/authenticate.ts";
export { whatsNew } from "./whats-new.ts";
