import { PRESSURE_WORDS } from "./lexicon-pressure.ts";
import { type PhraseRule, phraseMatcher, type WrittenMeaning } from "./phrase-rules.ts";

type Meaning = keyof typeof PRESSURE_WORDS | WrittenMeaning;

/** Which meanings together press for credentials or money. */
const RULES: ReadonlyArray<PhraseRule<Meaning>> = [
  {
    signal: "verify_account",
    then: [
      ["verify", 0],
      ["account", 5],
    ],
  },
  { signal: "verify_account", near: ["account", "verify", "click"], within: 14 },
  { signal: "account_threat", near: ["account", "threat"], within: 8 },
  { signal: "urgency", near: ["urgent", "within", "threat"], within: 14 },
  { signal: "urgency", near: ["urgent", "within", "verify"], within: 14 },
  {
    signal: "click_here",
    then: [
      ["click", 0],
      ["link", 5],
    ],
  },
  {
    signal: "generic_greeting",
    then: [
      ["dear", 0],
      ["customer", 2],
    ],
  },
  { signal: "mailbox_full", near: ["mailbox", "full"], within: 5 },
  { signal: "mailbox_full", near: ["stopped", "messages", "mailbox"], within: 10 },
  { signal: "delivery_problem", near: ["parcel", "stuck", "need"], within: 14 },

  { signal: "payment_change", near: ["change", "bank", "details", "pay"], within: 24, across: true },
  { signal: "gift_cards", near: ["gift", "card", "buy"], within: 24, across: true },
  { signal: "advance_fee", near: ["sum", "bequest", "trust"], within: 60, across: true },
  { signal: "prize", near: ["won", "prize", "claim"], within: 20, across: true },
  { signal: "extortion", near: ["coin", "demand", "shame"], within: 80, across: true },
  { signal: "wallet_secret", near: ["phrase", "phrase_noun", "enter"], within: 10 },
  { signal: "wallet_secret", near: ["wallet", "phrase_noun", "enter"], within: 10 },
  { signal: "callback", near: ["charge", "call", "undo"], within: 24, across: true },
  {
    signal: "quiet_favour",
    then: [
      ["quick", 0],
      ["favour", 2],
    ],
  },
  {
    signal: "quiet_favour",
    then: [
      ["presence", 0],
      ["you", 1],
      ["available", 3],
    ],
  },
  {
    signal: "quiet_favour",
    then: [
      ["presence", 0],
      ["available", 3],
      ["favour", 14],
    ],
  },
  {
    signal: "personal_number",
    then: [
      ["give", 0],
      ["you", 3],
      ["personal", 2],
      ["number", 2],
    ],
  },
  { signal: "refund_claim", near: ["refund", "due", "click"], within: 20 },
];

/** Finds pressure on accounts and money in words; each hit says its signal and line. */
export const pressureHits = phraseMatcher(PRESSURE_WORDS, RULES);
