/** OAuth 2.1 for Letterslot: the authorization server. */

export { createOAuth } from "./oauth.ts";
