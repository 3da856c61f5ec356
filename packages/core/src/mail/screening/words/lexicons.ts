import en from "../../words/en.json" with { type: "json" };
import { lexiconOf } from "../../words/index.ts";
import mul from "../../words/mul.json" with { type: "json" };

/** Words of commands to a model, by meaning. Folded; all languages share one list, as rules ask for meanings near each other. */
export const INSTRUCTION_WORDS = lexiconOf<keyof typeof mul.commands.words>("commands");

/** Words of requests that only make sense to a model, by meaning. */
export const REQUEST_WORDS = lexiconOf<keyof typeof en.requests.words>("requests");

/** Words of requests that steer a model, in English: many are short or common, and other words in other languages. */
export const STEERING_WORDS = en.steering;

/** Words of pressure about accounts and money, by meaning. */
export const PRESSURE_WORDS = mul.pressure;
