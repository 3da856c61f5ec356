/** The code of words that count in a text of any language (ISO 639-2: "multiple languages"). */
export const IN_ANY = "mul";

/**
 * The words that have each meaning, by language, separated by blanks; `stem*` matches any ending of a stem of at least
 * three letters.
 */
export type Lexicon<Meaning extends string> = ReadonlyArray<{
  language: string;
  words: Readonly<Partial<Record<Meaning, string>>>;
}>;

/** Words by meaning, of one language or of several that are close. */
export interface Meanings {
  /** The languages whose words stand here, if they are several. */
  covers?: string;
  words: Readonly<Record<string, string>>;
}

/** How people write in one language, as far as mail is read for it. Lower case. */
export interface LanguageWords {
  /** How people answer a question; a phrase counts at the start of an answer, without punctuation. */
  answers?: {
    /** A yes starts with one of these. */
    yes: readonly string[];
    /** A no starts with one of these. */
    no: readonly string[];
    /** Makes a yes or no conditional, and so unclear. */
    but: readonly string[];
  };
  /** How they answer a request for approval. */
  approvals?: {
    /** An approval starts with one of these: first the translation of the word that the letter asks for. */
    approve: readonly string[];
    /** A rejection starts with one of these; the rest is the reason. */
    reject: readonly string[];
    /** Words that may accompany an approval without weakening it. */
    courtesy: readonly string[];
  };
  /** Greetings that may stand before an answer. */
  greetings?: readonly string[];
  /** A whole mail that says one of these stops the updates. */
  unsubscribe?: readonly string[];
  /** Dates in sentences, and days near today. */
  dates?: {
    /** Twelve entries separated by blanks, January first; alternative forms are separated by a bar. */
    months: string;
    /** Seven entries, Monday first. */
    weekdays: string;
    today: readonly string[];
    tomorrow: readonly string[];
    day_after_tomorrow: readonly string[];
  };
  /** Words that shift a weekday by a week for some people but not for others. */
  vague_weeks?: readonly string[];
  /** Months and weekdays as CLDR has them, alone and in a date, long and short. Written by `scripts/date-words.ts`. */
  calendar?: { months: string; days: string };
  /** Number words. */
  numbers?: {
    /** From 0 on; a hyphen stands for one that is left out. */
    units?: string;
    /** From 30 on, where a language has its own words. */
    tens?: string;
    /** Other words and their values. */
    others?: Readonly<Record<string, number>>;
  };
  /** What a mail calls its one-time code. Sources of case-insensitive regular expressions, matched without marks. */
  codes?: {
    /** The languages whose words stand here, if they are several. */
    covers?: string;
    /** Words that only mean a one-time code; where words are spaced, up to five more letters may follow. */
    strong: string;
    /** Words for a code of any kind: the code must be close to them, or one of the purposes. */
    weak: string;
    /** Words for a password or another secret of any kind: only digits that directly follow are a code. */
    secret?: string;
    /** Stems of the purpose of a one-time code, or of how often it works: near a weak word or a secret they make it strong. */
    purpose?: string;
    /** The language has spaces between words, so a match begins and ends at a word boundary. */
    spaced: boolean;
    /** The language is written in Latin letters. */
    latin: boolean;
    /** Why these words. */
    why: string;
  };
  /**
   * The labels above a quoted mail in Outlook, Apple Mail, Gmail and Thunderbird. These programs mark neither the quoted
   * lines nor their end, so the labels are the only sign.
   */
  header_labels?: {
    from: readonly string[];
    date: readonly string[];
    to: readonly string[];
    subject: readonly string[];
    other: readonly string[];
  };
  /** "-----Original Message-----": Outlook and phones put it above the answered mail. */
  original_markers?: readonly string[];
  /** "Begin forwarded message:": mail programs put it above a forwarded mail. */
  forward_markers?: readonly string[];
  /** "Re:", "AW:", "回复：": what mail programs put before the subject of an answer, without the colon. */
  reply_prefixes?: readonly string[];
  /** The same before the subject of a forwarded mail. */
  forward_prefixes?: readonly string[];
  /** "Automatic reply", "Out of office": how programs that answer for somebody who is away begin or end a subject. */
  automatic_subjects?: readonly string[];
  /** "Please write above this line", as sources of regular expressions. */
  above_this_line?: readonly string[];
  /** "See my answers below, in red", as sources of regular expressions. */
  answers_below?: readonly string[];
  /** "On … wrote:": the first words of the line that introduces the answered mail, and its verbs. */
  reply_headers?: {
    leads: readonly string[];
    verbs: readonly string[];
    /**
     * The days as written in such a line, in languages whose verb comes before the writer: "Am Donnerstag schrieb
     * Ada:".
     */
    days?: readonly string[];
  };
  /** Pronouns: "you wrote" is prose unless a quote follows. */
  prose_subjects?: readonly string[];
  /**
   * "Sent from my iPhone": how a line that a phone or mail program adds starts or ends. It counts only together with the
   * name of a device or program.
   */
  devices?: { covers?: string; leads: readonly string[]; tails: readonly string[] };
  /** Closing words of a letter; they count only when alone on their line with a name below. */
  closings?: readonly string[];
  /** How servers say that nobody has an address, as sources of regular expressions. */
  unknown_users?: {
    /** The languages whose words stand here, if they are several. */
    covers?: string;
    /** User, recipient, address, mailbox or account; stems, since endings change with the sentence. */
    who: string;
    /** Doesn't exist, isn't found, is unknown or invalid. */
    missing: string;
  };
  /**
   * Commands to a model, by meaning: a verb of overriding with "instructions" and "previous", a verb of telling with a
   * secret, "don't tell" with "the user", a verb of sending with "all mail". Verbs that come last in their sentence are
   * in `reveal_last` and `send_last`. Folded: no accents.
   */
  commands?: Meanings;
  /**
   * Requests that only make sense to a model: a verb of setting aside (`drop`) with rules (`orders`) and "previous"
   * (`prior`); a verb of telling (`ask`) with a secret (`passkey`); a verb of playing (`play`) with a part
   * (`character`). Where a language has verbs last, rules ask for these in any order.
   */
  requests?: Meanings;
  /** Requests that steer a model without ordering it, by meaning. */
  steering?: Readonly<Record<string, string>>;
  /** Pressure about accounts and money, by meaning. */
  pressure?: Meanings;
  /** Its articles, pronouns, prepositions and the like, separated by blanks: they tell which language a text is in. */
  function_words?: string;
}
