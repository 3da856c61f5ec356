/** OAuth 2.1 for Letterslot: the authorization server, and what it says of itself. */

export {
  authorizationServerMetadata,
  DEFAULT_SCOPE,
  PATHS,
  protectedResourceMetadata,
  protectedResourceUrl,
  RESOURCES,
} from "./metadata.ts";
export { type AuthorizationRequest, type Choice, createOAuth, type OAuth } from "./oauth.ts";
