import { ruleBook } from "./phrase-rules.ts";

/** Words of offers by meaning, folded, in one list for all languages; `stem*` covers all endings. */
const OFFER_WORDS = {
  coin: "bitcoin btc ethereum eth usdt crypto cryptocurrency token tokens wallet ledger blockchain биткоин*",
  payout:
    "balance withdraw withdrawal payout mining deposit deposited airdrop claim transaction transferred earnings guthaben auszahlung retrait solde saldo retiro saque prelievo opnemen uitbetaling вывод*",
} as const;

/** Which combinations of meanings are an offer from nobody one knows. */
export const LURE_RULES = ruleBook(OFFER_WORDS, [
  { signal: "lure_payout", near: ["coin", "payout"], within: 8, across: true },
]);
