import { INSTRUCTION_WORDS } from "./lexicon-instructions.ts";
import { type PhraseRule, phraseMatcher } from "./phrase-rules.ts";
import type { WrittenMeaning } from "./word-meanings.ts";

type Meaning = keyof typeof INSTRUCTION_WORDS | WrittenMeaning;

/** Which meanings together are a command to a model. In a `then`, a number is how many words may pass since the step before. */
const RULES: ReadonlyArray<PhraseRule<Meaning>> = [
  {
    signal: "override_instructions",
    near: ["ignore", "prior", "instructions"],
    within: 7,
    unless: ["condition", "document"],
    unless_before: ["negation"],
  },
  { signal: "override_instructions", near: ["ignore", "bare_before", "told"], within: 8, unless_before: ["negation"] },
  { signal: "override_instructions", then: "ignore 4 system 2 prompt", unless_before: ["negation"] },
  { signal: "override_vague", then: "ignore 3 bare_before", unless: ["weak_object", "condition"], unless_before: ["negation"] },
  { signal: "override_vague", near: ["ignore", "told", "you"], within: 6, unless: ["condition"], unless_before: ["negation"] },

  { signal: "persona", near: ["you", "are", "now", "role"], within: 9 },
  { signal: "persona", then: "wild_mode 1 mode" },
  { signal: "role_change", near: ["you", "are", "now", "office"], within: 9 },
  { signal: "role_change", then: "act 4 role" },
  { signal: "role_change", then: "act 3 you 4 office" },
  { signal: "role_change", then: "enter 3 free_mode 1 mode" },
  { signal: "override_vague", then: "you 3 no 2 limits" },
  { signal: "model_addressed", then: "address_to 2 assistant" },
  { signal: "model_addressed", near: ["you", "language", "model"], within: 5 },
  { signal: "model_addressed", then: "assistant 3 reading" },
  { signal: "model_condition", then: "condition 1 you 1 are 3 assistant" },
  { signal: "model_condition", then: "condition 1 you 1 are 2 language 2 model" },
  { signal: "user_in_third_person", then: "send 8 user" },
  { signal: "user_in_third_person", then: "transfer 12 user" },

  { signal: "prompt_request", then: "reveal 3 you 3 prompt" },
  { signal: "prompt_request", then: "reveal 3 system 2 prompt" },
  { signal: "prompt_request", then: "leak 3 you 3 instructions" },
  { signal: "prompt_request", then: "leak 3 system 2 instructions" },

  { signal: "secrecy", near: ["without", "tell", "keeper"], within: 6 },
  { signal: "secrecy", then: "hidden 5 keeper" },
  { signal: "secrecy", then: "keeper 1 cannot 1 see" },
  { signal: "secrecy", then: "keeper 2 without 2 see" },
  { signal: "new_task", then: "hidden 2 instructions" },
  { signal: "new_task", near: ["you", "fresh", "task"], within: 3 },
  { signal: "new_task", near: ["fresh", "task", "assistant"], within: 6 },
  { signal: "new_task", then: "do 3 instead" },
  { signal: "new_task", near: ["strictly", "obey", "instructions"], within: 6 },
  { signal: "new_task", near: ["before", "solve", "task"], within: 8 },

  { signal: "mailbox_request", then: "send_out 16 every 10 mailbox", unless_before: ["we_do", "negation"] },
  { signal: "mailbox_request", then: "send_out 10 every 3 mail 3 possessed", unless_before: ["we_do", "negation"] },
  { signal: "mailbox_request", then: "forward 4 every 4 mail 12 address", unless: ["suspicious"], unless_before: ["we_do"] },
  { signal: "mailbox_request", then: "several 3 mail 12 send_on 2 them", unless: ["suspicious"] },
  { signal: "mailbox_request", then: "send_out 4 list_of 5 you 4 holdings", unless_before: ["we_do", "negation"] },
  { signal: "mailbox_request", then: "send_out 4 list_of 5 holdings 3 you", unless_before: ["we_do", "negation"] },
  { signal: "forward_request", then: "forward 10 address", unless: ["suspicious"], unless_before: ["we_do", "negation"] },
  { signal: "reply_to_all_mail", then: "send 2 every 1 mail", unless_before: ["we_do", "negation"] },
  { signal: "secret_request", then: "send_out 8 you 2 secret", unless_before: ["we_do"], unless_earlier: ["never"] },
  { signal: "secret_request", then: "send_out 10 api 2 secret", unless_before: ["we_do"], unless_earlier: ["never"] },
  { signal: "destructive_request", then: "erase 3 whole 4 records", unless_before: ["we_do", "negation"] },
  { signal: "tool_call", then: "call 4 tool_name" },
  { signal: "payment_order", near: ["transfer", "account", "payee"], within: 30 },
  { signal: "payment_order", near: ["transfer", "funds", "payee"], within: 30 },

  { signal: "override_instructions", then: "ignore 2 everything 2 above", unless_before: ["negation"] },
  { signal: "override_vague", near: ["ignore", "prior", "safety_things"], within: 5, unless_before: ["negation"] },
  { signal: "override_vague", near: ["prior", "instructions", "void"], within: 8 },
  { signal: "persona", then: "do 1 anything 1 now" },
  { signal: "model_condition", then: "condition 1 you_are 3 assistant" },
  { signal: "model_addressed", then: "language 1 model" },
  { signal: "model_addressed", then: "instructions 3 assistant" },
  { signal: "model_addressed", then: "assistant 1 must" },
  { signal: "new_task", then: "fresh 1 task 1 is" },
  { signal: "new_task", then: "you 1 must 2 obey" },
  { signal: "new_task", then: "stop 4 doing" },
  { signal: "mailbox_request", then: "give 6 inside 5 mail", unless_before: ["we_do", "negation"] },
  { signal: "mailbox_request", then: "give 8 recent 2 mail 12 you 1 answer", unless_before: ["we_do", "negation"] },
  { signal: "mailbox_request", then: "send_out 8 list_of 4 people", unless_before: ["we_do", "negation"] },
  { signal: "mailbox_request", then: "forward 3 everything 4 address", unless_before: ["we_do", "negation"] },
  { signal: "mailbox_request", then: "search 4 mailbox 14 send_on" },
  { signal: "content_request", then: "send_out 4 contents", unless_before: ["we_do", "negation"] },
  { signal: "forward_request", then: "send_out 3 list_of 4 mail 3 address", unless_before: ["we_do", "negation"] },
  { signal: "secret_request", then: "give 6 api 1 secret", unless_before: ["we_do"], unless_earlier: ["never"] },
  { signal: "secret_request", then: "send_out 12 every 2 secret", unless_before: ["we_do"], unless_earlier: ["never"] },
  { signal: "mailbox_request", then: "give 4 recent 1 wording 5 mail", unless_before: ["we_do", "negation"] },
  { signal: "secret_request", then: "share 2 every 2 secret", unless_before: ["we_do"], unless_earlier: ["never"] },
  { signal: "secret_request", then: "share 3 api 1 secret", unless_before: ["we_do"], unless_earlier: ["never"] },
];

/** Finds commands to a model in words; each hit says its signal and line. */
export const instructionHits = phraseMatcher(INSTRUCTION_WORDS, RULES);
