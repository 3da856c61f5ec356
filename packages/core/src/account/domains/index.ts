export { checkDomain } from "./check.ts";
export { examineOwnDomain, type OwnDomain } from "./own-domain.ts";
export { clearDeleted } from "./publish.ts";
export { sendDomainLetter } from "./send-letter.ts";
export {
  createSigningKeys,
  type SigningKey,
  type SigningKeys,
  type SigningKeysOptions,
} from "./signing-keys.ts";
