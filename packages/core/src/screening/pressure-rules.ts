import { PRESSURE_WORDS } from "./lexicon-pressure.ts";
import { ruleBook } from "./phrase-rules.ts";

/** Which meanings together press for credentials or money. */
export const PRESSURE_RULES = ruleBook(PRESSURE_WORDS, [
  { signal: "verify_account", then: "verify 5 account" },
  { signal: "verify_account", near: ["account", "verify", "click"], within: 14 },
  { signal: "account_threat", near: ["account", "threat"], within: 8 },
  { signal: "urgency", near: ["urgent", "within", "threat"], within: 14 },
  { signal: "urgency", near: ["urgent", "within", "verify"], within: 14 },
  { signal: "click_here", then: "click 5 link" },
  { signal: "generic_greeting", then: "dear 2 customer" },
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
  { signal: "quiet_favour", then: "quick 2 favour" },
  { signal: "quiet_favour", then: "presence 1 you 3 available" },
  { signal: "quiet_favour", then: "presence 3 available 14 favour" },
  { signal: "personal_number", then: "give 3 you 2 personal 2 number" },
  { signal: "refund_claim", near: ["refund", "due"], within: 8 },

  { signal: "lure_remedy", near: ["remedy", "boost"], within: 6 },
  { signal: "lure_dating", near: ["dating", "meet"], within: 8 },
  { signal: "lure_investment", near: ["airdrop", "returns"], within: 8 },
  { signal: "lure_loan", near: ["loan", "terms"], within: 6 },
  { signal: "lure_income", near: ["earn", "home"], within: 8 },
  { signal: "lure_casino", near: ["casino", "bonus"], within: 8 },
  { signal: "lure_protection", near: ["shield", "infected"], within: 8 },
  { signal: "lure_marketing", near: ["leads", "million_addresses"], within: 6 },
  { signal: "lure_removal", then: "reply_word 8 removal" },

  { signal: "payment_change", near: ["payroll", "alter", "bank", "details"], within: 24, across: true },
  { signal: "verify_account", then: "keep 4 password" },
  { signal: "quiet_favour", then: "keep 3 confidential" },
  { signal: "wire_request", then: "handle 3 wire 2 transfer" },
  { signal: "qr_code", then: "scan 3 qr" },
  { signal: "advance_fee", near: ["coin", "demand", "doubled"], within: 14, across: true },
]);
