import { accountsApart } from "./accounts-apart.ts";
import { agentIsNotOwner } from "./agent-is-not-owner.ts";
import type { Guard } from "./guard.ts";
import { mailIsKept } from "./mail-is-kept.ts";
import { ownersWord } from "./owners-word.ts";
import { secretsAndNetwork } from "./secrets-and-network.ts";
import { sentOnce } from "./sent-once.ts";

/** The guards of the six promises, a file each. */
export const GUARDS: readonly Guard[] = [
  ...accountsApart,
  ...agentIsNotOwner,
  ...ownersWord,
  ...mailIsKept,
  ...sentOnce,
  ...secretsAndNetwork,
];
