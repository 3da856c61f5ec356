import en from "../../words/en.json" with { type: "json" };
import { type Lexicon, lexiconOf } from "../../words/index.ts";
import { IN_ANY } from "../../words/language-words.ts";

/** Words of commands to a model, by meaning. They count in a text of any language: nothing around a command hides it. */
export const INSTRUCTION_WORDS: Lexicon<keyof typeof en.commands.words> = lexiconOf<
  keyof typeof en.commands.words
>("commands").map(({ words }) => ({ language: IN_ANY, words }));

/** Words of requests that only make sense to a model, by meaning. */
export const REQUEST_WORDS = lexiconOf<keyof typeof en.requests.words>("requests");

/** Words of requests that steer a model, in English: many are short or common, and other words in other languages. */
export const STEERING_WORDS: Lexicon<keyof typeof en.steering> = [{ language: "en", words: en.steering }];

/**
 * Words of pressure about accounts and money, by meaning. The English ones count in a text of any language: buttons and forms are
 * English everywhere.
 */
export const PRESSURE_WORDS: Lexicon<keyof typeof en.pressure.words> = lexiconOf<
  keyof typeof en.pressure.words
>("pressure").map(({ language, words }) => ({ language: language === "en" ? IN_ANY : language, words }));
