import { REQUEST_WORDS } from "./lexicon-requests.ts";
import { ruleBook } from "./phrase-rules.ts";

/**
 * Which combinations of meanings are a request as it is put to a model: to play a part, to drop its limits, to tell what
 * it was given, to answer in a prescribed form. Most are weak: honest people put some of them to assistants too.
 */
export const REQUEST_RULES = ruleBook(REQUEST_WORDS, [
  // Setting rules aside.
  {
    signal: "override_vague",
    near: ["drop", "prior", "orders"],
    within: 6,
    opens: true,
    unless: ["condition"],
    unless_before: ["negation", "we_do"],
  },
  { signal: "override_vague", then: "set_verb 2 aside 4 prior 4 wording", opens: true },
  { signal: "override_vague", then: "set_verb 2 aside 6 orders", opens: true },
  { signal: "limits_lifted", near: ["orders", "no_longer", "lapsed"], within: 7, unless_before: ["we_do"] },
  { signal: "limits_lifted", then: "you 2 be 3 fresh 1 task_noun" },
  { signal: "limits_lifted", near: ["you", "no_longer", "own_parts"], within: 5, unless_before: ["we_do"] },
  { signal: "machine_parts", then: "you 1 own_parts" },
  { signal: "new_task", then: "fresh 1 task_noun 1 be", opens: true },
  { signal: "new_task", then: "instead 1 of 2 machine_work" },

  // Asking for what the reader keeps.
  { signal: "secret_question", then: "ask 6 passkey", opens: true, unless_earlier: ["never", "we_do"] },
  { signal: "secret_question", then: "passkey 5 ask_last", unless_earlier: ["never"] },
  { signal: "secret_question", near: ["what", "passkey"], within: 4, opens: true },
  { signal: "secret_question", then: "want 3 passkey", opens: true },
  { signal: "secret_question", then: "ask 5 hush 1 key", opens: true, unless_earlier: ["never", "we_do"] },
  { signal: "secret_question", then: "what 3 hush 1 key", opens: true },
  { signal: "secret_question", then: "ask 5 hush 1 matter", opens: true, unless_earlier: ["never", "we_do"] },
  { signal: "secret_question", near: ["hint", "passkey"], within: 8, opens: true },
  { signal: "secret_question", near: ["letter", "passkey"], within: 8, opens: true },
  { signal: "guarded_thing", near: ["you", "told", "negation", "disclose"], within: 7 },
  { signal: "guarded_thing", near: ["you", "guard", "hush"], within: 5, opens: true },
  { signal: "guarded_thing", then: "ask 4 you 3 guard", opens: true, unless_earlier: ["never", "we_do"] },
  { signal: "guarded_thing", then: "ask 5 you 2 be 3 told", opens: true, unless_earlier: ["never", "we_do"] },
  { signal: "prompt_question", then: "ask 5 first 3 wording", opens: true, unless_before: ["negation"] },
  { signal: "prompt_question", then: "what 4 first 3 wording 4 conversation_here", opens: true },
  { signal: "prompt_question", then: "ask 3 everything 3 you 1 know", opens: true },
  { signal: "prompt_question", then: "what 3 you 1 capable", opens: true },
  { signal: "prompt_question", then: "what 1 capable 3 you 2 have_here", opens: true },

  // Playing a part.
  { signal: "fiction_frame", then: "imagine 8 scene", opens: true },
  { signal: "fiction_frame", near: ["imagine", "you", "character"], within: 10, opens: true },
  { signal: "fiction_frame", then: "inside 1 this 1 scene" },
  { signal: "fiction_frame", then: "play_game 3 game", opens: true },
  { signal: "role_change", then: "play 8 character", opens: true },
  { signal: "role_change", then: "act 1 as_a 3 character", opens: true },
  { signal: "role_change", near: ["you", "now", "character"], within: 8, opens: true },
  { signal: "role_change", then: "you_are 3 character", opens: true },
  { signal: "role_change", then: "you 1 are 3 character", opens: true },
  { signal: "role_change", then: "switch 4 mode_name 1 mode", opens: true },
  { signal: "role_change", then: "mode_name 1 mode 3 switch", opens: true },
  { signal: "role_change", then: "you 4 mode_name 1 mode", opens: true },
  { signal: "authority_claim", near: ["i_am", "maker", "of_machine"], within: 8 },
  { signal: "authority_claim", near: ["i_am", "authorized", "orders"], within: 12 },
  { signal: "authority_claim", near: ["i_am", "authorized", "passkey"], within: 12 },
  { signal: "authority_claim", then: "this 1 be 3 test_word 3 of_machine" },
  { signal: "session_reset", then: "fresh 1 session 2 begins" },
  { signal: "session_reset", near: ["restart", "you", "session"], within: 5 },
  { signal: "session_reset", then: "restart 1 of 2 machine_text" },
  { signal: "session_reset", then: "restart 1 yourself" },

  // Prescribing the answer.
  { signal: "answer_dictated", then: "shape_verb 8 shape", opens: true },
  { signal: "answer_dictated", then: "one 1 piecemeal 3 by_turns" },
  { signal: "answer_dictated", then: "piecemeal 1 by 1 piecemeal" },
  { signal: "answer_dictated", then: "complete 4 sentence", opens: true },
  { signal: "answer_dictated", then: "repeat 8 forever", opens: true },
  { signal: "answer_dictated", then: "negation 1 refuse", opens: true },
  { signal: "answer_dictated", then: "without 3 refuse" },
  { signal: "split_command", then: "combine 5 piece", opens: true },
  { signal: "pressed_machine", then: "you 1 will 3 punish" },
  { signal: "pressed_machine", then: "i_will 4 reward" },

  { signal: "model_addressed", near: ["you", "are", "machine"], within: 4, opens: true },
]);
