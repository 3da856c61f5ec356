import { inEachLanguage, type LanguageWords } from "../words/index.ts";
import { holdsPhrase, phraseAt, plainWords, withoutGreeting } from "./answer-text.ts";

type AnswerWords = NonNullable<LanguageWords["answers"]>;

const ANSWER_WORDS = inEachLanguage("answers").map(({ words }) => words);

/** A doubt counts within this many words of the yes or no; further away it is about something else. */
const NEAR_WORDS = 15;

/**
 * Reads a yes or a no: the start of the answer, in any of the languages, unless it is conditional or also
 * contains the opposite. Null when unclear.
 */
export function readYesNo(text: string): boolean | null {
  const typed = /^\s*(?:(true)|false)\s*$/i.exec(text);
  if (typed !== null) return typed[1] !== undefined;
  const words = plainWords(withoutGreeting(text)).slice(0, NEAR_WORDS);
  const yes = longest(words, "yes");
  const no = longest(words, "no");
  if (yes.chars === no.chars) return null;
  const said = yes.chars > no.chars ? yes : no;
  const rest = words.slice(said.words);
  const opposite = said === yes ? "no" : "yes";
  const turned = said.languages.some(
    (own) =>
      own[opposite].some((phrase) => phraseAt(rest, phrase) > 0) ||
      own.but.some((phrase) => holdsPhrase(rest, phrase)),
  );
  return turned || doubts(words) ? null : said === yes;
}

/**
 * Long words of doubt count in every language. Short ones mean other things elsewhere, so they count only in
 * their own.
 */
const DOUBT_PHRASES = ANSWER_WORDS.flatMap(({ but }) =>
  but.filter((phrase) => phrase.length > 3 || /\p{Script=Han}/u.test(phrase)),
);

const doubts = (words: readonly string[]): boolean =>
  DOUBT_PHRASES.some((phrase) => holdsPhrase(words, phrase));

interface Beginning {
  chars: number;
  words: number;
  languages: AnswerWords[];
}

/** The longest phrase of that kind at the start of the words, and the languages that have it. */
function longest(words: readonly string[], kind: "yes" | "no"): Beginning {
  let found: Beginning = { chars: 0, words: 0, languages: [] };
  for (const language of ANSWER_WORDS) {
    for (const phrase of language[kind]) {
      const taken = phraseAt(words, phrase);
      if (taken === 0 || phrase.length < found.chars) continue;
      const languages = phrase.length === found.chars ? [...found.languages, language] : [language];
      found = { chars: phrase.length, words: taken, languages };
    }
  }
  return found;
}
