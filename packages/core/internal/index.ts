/**
 * What Letterslot's own packages need besides: the server, the command line, the MCP server, OAuth and SQL. It is unstable:
 * any release may change or remove what is here.
 */

export { examineOwnDomain, type OwnDomain } from "../src/account/domains/index.ts";
export {
  type AccountArchive,
  type Archive,
  ArchiveError,
  type ArchiveFile,
  type ExportProgress,
  exportAccount,
  type Imported,
  type ImportOptions,
  importAccount,
  mboxEntry,
  openArchive,
  type ReadFile,
  type ZipOptions,
  type ZippedFile,
  zipOf,
} from "../src/account/export/index.ts";
export {
  type Store,
  type TransferProgress,
  type TransferReport,
  transferStore,
} from "../src/account/transfer/index.ts";
export { accountName } from "../src/catalogue/account-name.ts";
export { browserName } from "../src/catalogue/browser-name.ts";
export { eventCatalogue } from "../src/catalogue/events.ts";
export { isId } from "../src/catalogue/ids.ts";
export { CHIPS, MARK, MARK_SVG, themeVariables } from "../src/catalogue/look.ts";
export { nearest } from "../src/catalogue/nearest.ts";
export { isUrlPrefix } from "../src/catalogue/options.ts";
export { APP_DEFAULT_PERMISSIONS, APP_PERMISSIONS, holdsAny } from "../src/catalogue/permissions.ts";
export { shownTime, shownTimeWithYear } from "../src/catalogue/shown-time.ts";
export { signatureHeaders, signingKeysOf } from "../src/events/webhooks/index.ts";
export { callerId } from "../src/kernel/access/caller.ts";
export { mayBeUnreadable } from "../src/kernel/access/readable-by.ts";
export { isEndOfAccess } from "../src/kernel/access/rights.ts";
export { inboxesOfPersons, takeServiceAddresses } from "../src/kernel/addresses/address-registry.ts";
export { publicKeyHash } from "../src/kernel/addresses/known-keys.ts";
export { addressGroup, isLoopbackClient } from "../src/kernel/client-address.ts";
export { mayCall } from "../src/kernel/gate.ts";
export { failureOf, unknownName } from "../src/kernel/input/check-input.ts";
export { fileFields } from "../src/kernel/input/file-fields.ts";
export { issueText } from "../src/kernel/input/issue-words.ts";
export { isLongJson, jsonTexts } from "../src/kernel/json-texts.ts";
export { explainLink } from "../src/kernel/letters/explain-link.ts";
export { type Operation, type Tool, toolsOfOperation } from "../src/kernel/operation.ts";
export { count } from "../src/kernel/rate.ts";
export { sameSecret } from "../src/kernel/secrets.ts";
export { operationNamed } from "../src/letterslot.ts";
export { addressKey } from "../src/model/address.ts";
export { createBase64Decoder, type DecodedBase64 } from "../src/model/base64.ts";
export { Event } from "../src/model/feed.ts";
export { Base64Bytes, iso } from "../src/model/fields.ts";
export type { DeadLink } from "../src/model/letters.ts";
export type { AuthorityRecord } from "../src/model/people.ts";
export { RelayReport } from "../src/model/relay-reports.ts";
export { Replayed } from "../src/model/replayed.ts";
export { operations } from "../src/operations.ts";
export {
  askedPermissions,
  authorityBehind,
  authorizationServerMetadata,
  endGrants,
  OAUTH_DEFAULT_SCOPE,
  OAUTH_PATHS,
  OAUTH_RESOURCES,
  oauthHash,
  protectedResourceMetadata,
  protectedResourceUrl,
} from "../src/owners/oauth-grants/index.ts";
export { CODE_CAME_BACK } from "../src/owners/owners/index.ts";
export type { AuthorizationRequest, Consent, OAuth } from "../src/owners/sessions/index.ts";
export { hasRelayReported } from "../src/traffic/bounces/index.ts";
export { acceptsRecipient } from "../src/traffic/inbound/index.ts";
