export { checkCanaries, checkTexts, checkWordsToOwners } from "./check.ts";
export { findCanaries } from "./find.ts";
export {
  findOwnSecret,
  type OwnSecret,
  ownSecretFault,
  tellLeaked,
} from "./own-secrets.ts";
export { trippedFault } from "./rules.ts";
