export { checkCanaries, checkTexts } from "./check.ts";
export { findCanaries } from "./find.ts";
export {
  checkWordsToOwners,
  findOwnSecret,
  type OwnSecret,
  ownSecretFault,
  tellLeaked,
} from "./own-secrets.ts";
export { trippedFault } from "./rules.ts";
