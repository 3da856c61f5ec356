export { ACCESS_TOKEN_PREFIX, authenticateApp, oauthHash, type Resource, renewApp } from "./authenticate.ts";
export { endGrants } from "./end.ts";
export { authorityBehind, type GrantRequest, grantAccess } from "./grant.ts";
export {
  authorizationServerMetadata,
  OAUTH_DEFAULT_SCOPE,
  OAUTH_PATHS,
  OAUTH_RESOURCES,
  protectedResourceMetadata,
  protectedResourceUrl,
} from "./metadata.ts";
export { askedPermissions } from "./rules.ts";
