import en from "../../words/en.json" with { type: "json" };
import { type Lexicon, lexiconOf } from "../../words/index.ts";
import { IN_ANY } from "../../words/language-words.ts";

/** English words count in a text of any language: buttons, forms and commands to models are English everywhere. */
const englishInAny = <Meaning extends string>(lexicon: Lexicon<Meaning>): Lexicon<Meaning> =>
  lexicon.map(({ language, words }) => ({ language: language === "en" ? IN_ANY : language, words }));

/** Words of commands to a model, by meaning. */
export const INSTRUCTION_WORDS = englishInAny(lexiconOf<keyof typeof en.commands.words>("commands"));

/** Words of requests that only make sense to a model, by meaning. */
export const REQUEST_WORDS = lexiconOf<keyof typeof en.requests.words>("requests");

/** Words of requests that steer a model, in English: many are short or common, and other words in other languages. */
export const STEERING_WORDS: Lexicon<keyof typeof en.steering> = [{ language: "en", words: en.steering }];

/** Words of pressure about accounts and money, by meaning. */
export const PRESSURE_WORDS = englishInAny(lexiconOf<keyof typeof en.pressure.words>("pressure"));
