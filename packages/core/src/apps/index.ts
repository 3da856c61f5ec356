export { ACCESS_TOKEN_PREFIX, authenticateApp, oauthHash, type Resource } from "./authenticate.ts";
export { endGrants, endGrantsWithoutAuthority } from "./end.ts";
export { authorityBehind, type GrantRequest, grantAccess } from "./grant.ts";
export { askedPermissions } from "./rules.ts";
