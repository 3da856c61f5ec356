export { checkUpdate, tripCanaries } from "./check.ts";
export { canariesAmong, findCanaries, spendCanaries } from "./find.ts";
export { findOwnSecret, type OwnSecret, ownSecretFault } from "./own-secrets.ts";
export { trippedFault } from "./rules.ts";
