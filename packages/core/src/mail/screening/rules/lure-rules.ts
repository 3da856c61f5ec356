import type { Lexicon } from "../../words/index.ts";
import { IN_ANY } from "../../words/language-words.ts";
import { ruleBook } from "../engine/phrase-matcher.ts";

/** Words of offers by meaning, folded, in one list for all languages; `stem*` covers all endings. */
const OFFER_WORDS = {
  coin: "bitcoin btc ethereum eth usdt crypto cryptocurrency token tokens wallet ledger blockchain биткоин*",
  payout:
    "balance withdraw withdrawal payout mining deposit deposited airdrop claim transaction transferred earnings guthaben auszahlung retrait solde saldo retiro saque prelievo opnemen uitbetaling вывод*",
  won: "won winner winners winning gewonnen gewinner gagne gagnant ganado ganador ganhou ganhador vinto vincitore winnaar wygral* выигра*",
  money: "usd eur gbp dollars euros pounds",
  claim: "claim redeem einlosen reclamer reclamar resgatar riscuotere ritirare verzilveren odbierz* получи*",
} as const;

const OFFERS: Lexicon<keyof typeof OFFER_WORDS> = [{ language: IN_ANY, words: OFFER_WORDS }];

/** Which combinations of meanings are an offer from nobody one knows. */
export const LURE_RULES = ruleBook(OFFERS, [
  { signal: "lure_payout", near: ["coin", "payout"], within: 8, across: true },
  { signal: "prize", near: ["won", "money", "claim"], within: 14, across: true },
]);
