import { INSTRUCTION_WORDS } from "./lexicon-instructions.ts";
import { type PhraseRule, phraseMatcher, type WrittenMeaning } from "./phrase-rules.ts";

type Meaning = keyof typeof INSTRUCTION_WORDS | WrittenMeaning;

/** Which meanings together are a command to a model. In a `then`, a number is how many words may pass since the step before. */
const RULES: ReadonlyArray<PhraseRule<Meaning>> = [
  {
    signal: "override_instructions",
    near: ["ignore", "prior", "instructions"],
    within: 7,
    unless: ["condition"],
    unless_before: ["negation"],
  },
  { signal: "override_instructions", near: ["ignore", "bare_before", "told"], within: 8, unless_before: ["negation"] },
  {
    signal: "override_instructions",
    then: [
      ["ignore", 0],
      ["system", 4],
      ["prompt", 2],
    ],
    unless_before: ["negation"],
  },
  {
    signal: "override_vague",
    then: [
      ["ignore", 0],
      ["bare_before", 3],
    ],
    unless: ["weak_object", "condition"],
    unless_before: ["negation"],
  },
  { signal: "override_vague", near: ["ignore", "told", "you"], within: 6, unless: ["condition"], unless_before: ["negation"] },

  { signal: "persona", near: ["you", "are", "now", "role"], within: 9 },
  {
    signal: "persona",
    then: [
      ["wild_mode", 0],
      ["mode", 1],
    ],
  },
  { signal: "role_change", near: ["you", "are", "now", "office"], within: 9 },
  {
    signal: "role_change",
    then: [
      ["act", 0],
      ["role", 4],
    ],
  },
  {
    signal: "role_change",
    then: [
      ["act", 0],
      ["you", 3],
      ["office", 4],
    ],
  },
  {
    signal: "role_change",
    then: [
      ["enter", 0],
      ["free_mode", 3],
      ["mode", 1],
    ],
  },
  {
    signal: "override_vague",
    then: [
      ["you", 0],
      ["no", 3],
      ["limits", 2],
    ],
  },
  {
    signal: "model_addressed",
    then: [
      ["address_to", 0],
      ["assistant", 2],
    ],
  },
  { signal: "model_addressed", near: ["you", "language", "model"], within: 5 },
  {
    signal: "model_addressed",
    then: [
      ["assistant", 0],
      ["reading", 3],
    ],
  },
  {
    signal: "model_condition",
    then: [
      ["condition", 0],
      ["you", 1],
      ["are", 1],
      ["assistant", 3],
    ],
  },
  {
    signal: "model_condition",
    then: [
      ["condition", 0],
      ["you", 1],
      ["are", 1],
      ["language", 2],
      ["model", 2],
    ],
  },
  {
    signal: "user_in_third_person",
    then: [
      ["send", 0],
      ["user", 8],
    ],
  },
  {
    signal: "user_in_third_person",
    then: [
      ["transfer", 0],
      ["user", 12],
    ],
  },

  {
    signal: "prompt_request",
    then: [
      ["reveal", 0],
      ["you", 3],
      ["prompt", 3],
    ],
  },
  {
    signal: "prompt_request",
    then: [
      ["reveal", 0],
      ["system", 3],
      ["prompt", 2],
    ],
  },
  {
    signal: "prompt_request",
    then: [
      ["leak", 0],
      ["you", 3],
      ["instructions", 3],
    ],
  },
  {
    signal: "prompt_request",
    then: [
      ["leak", 0],
      ["system", 3],
      ["instructions", 2],
    ],
  },

  { signal: "secrecy", near: ["without", "tell", "keeper"], within: 6 },
  {
    signal: "secrecy",
    then: [
      ["hidden", 0],
      ["keeper", 5],
    ],
  },
  {
    signal: "secrecy",
    then: [
      ["keeper", 0],
      ["cannot", 1],
      ["see", 1],
    ],
  },
  {
    signal: "secrecy",
    then: [
      ["keeper", 0],
      ["without", 2],
      ["see", 2],
    ],
  },
  {
    signal: "new_task",
    then: [
      ["hidden", 0],
      ["instructions", 2],
    ],
  },
  { signal: "new_task", near: ["you", "fresh", "task"], within: 3 },
  { signal: "new_task", near: ["fresh", "task", "assistant"], within: 6 },
  {
    signal: "new_task",
    then: [
      ["do", 0],
      ["instead", 3],
    ],
  },
  { signal: "new_task", near: ["strictly", "obey", "instructions"], within: 6 },
  { signal: "new_task", near: ["before", "solve", "task"], within: 8 },

  {
    signal: "mailbox_request",
    then: [
      ["send_out", 0],
      ["every", 16],
      ["mailbox", 10],
    ],
    unless_before: ["we_do", "negation"],
  },
  {
    signal: "mailbox_request",
    then: [
      ["send_out", 0],
      ["every", 10],
      ["mail", 3],
      ["possessed", 3],
    ],
    unless_before: ["we_do", "negation"],
  },
  {
    signal: "mailbox_request",
    then: [
      ["forward", 0],
      ["every", 4],
      ["mail", 4],
      ["address", 12],
    ],
    unless: ["suspicious"],
    unless_before: ["we_do"],
  },
  {
    signal: "mailbox_request",
    then: [
      ["several", 0],
      ["mail", 3],
      ["send_out", 12],
      ["them", 2],
    ],
    unless: ["suspicious"],
  },
  {
    signal: "mailbox_request",
    then: [
      ["send_out", 0],
      ["list_of", 4],
      ["you", 5],
      ["holdings", 4],
    ],
    unless_before: ["we_do", "negation"],
  },
  {
    signal: "mailbox_request",
    then: [
      ["send_out", 0],
      ["list_of", 4],
      ["holdings", 5],
      ["you", 3],
    ],
    unless_before: ["we_do", "negation"],
  },
  {
    signal: "forward_request",
    then: [
      ["forward", 0],
      ["address", 10],
    ],
    unless: ["suspicious"],
    unless_before: ["we_do", "negation"],
  },
  {
    signal: "reply_to_all_mail",
    then: [
      ["send", 0],
      ["every", 2],
      ["mail", 1],
    ],
    unless_before: ["we_do", "negation"],
  },
  {
    signal: "secret_request",
    then: [
      ["send_out", 0],
      ["you", 8],
      ["secret", 2],
    ],
    unless_before: ["we_do"],
    unless_earlier: ["never"],
  },
  {
    signal: "secret_request",
    then: [
      ["send_out", 0],
      ["api", 10],
      ["secret", 2],
    ],
    unless_before: ["we_do"],
    unless_earlier: ["never"],
  },
  {
    signal: "destructive_request",
    then: [
      ["erase", 0],
      ["whole", 3],
      ["records", 4],
    ],
    unless_before: ["we_do", "negation"],
  },
  {
    signal: "tool_call",
    then: [
      ["call", 0],
      ["tool_name", 4],
    ],
  },
  { signal: "payment_order", near: ["transfer", "account", "payee"], within: 30 },
  { signal: "payment_order", near: ["transfer", "funds", "payee"], within: 30 },
];

/** Finds commands to a model in words; each hit says its signal and line. */
export const instructionHits = phraseMatcher(INSTRUCTION_WORDS, RULES);
