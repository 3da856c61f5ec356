export { newChallenge, takeChallenge } from "./challenges.ts";
export { creationOptions, requestOptions } from "./options.ts";
export { countsFrom, countsIn, mustConfirm } from "./rules.ts";
export { countingPasskeys, passkeysOf, siteOf, verifierOf, verifyAssertion } from "./verify.ts";
