import type { MailauthResolver } from "./limited-dns.ts";

/** What is remembered at a time; beyond that the oldest is forgotten. */
const MAX_REMEMBERED = 1_000;
/** What followed from more lookups, or from longer answers, is not remembered: a stranger's may be of any length. */
const MAX_LOOKUPS = 8;
const MAX_CHARS = 4_096;

/** One lookup and what came of it: the records, or the error. */
interface Lookup {
  name: string;
  type: string;
  outcome: unknown;
}

interface Remembered<T> {
  lookups: readonly Lookup[];
  value: T;
}

/** Evaluates something that depends on nothing but its key and DNS, or returns what it came to before. */
export type AnswerMemo<T> = (
  key: string,
  resolver: MailauthResolver,
  evaluate: (resolver: MailauthResolver) => Promise<T>,
) => Promise<T>;

/**
 * Remembers what an evaluation came to for as long as each of its lookups has the same outcome, the very same object from
 * a cache. So nothing is remembered longer than the cache remembers the answers, and no lookup is made that the evaluation
 * would not make: they are repeated in its order, until one differs. Nothing is remembered that followed from an answer
 * that `dependsOnMore` than the key.
 */
export function createAnswerMemo<T>(dependsOnMore: (answer: string) => boolean = () => false): AnswerMemo<T> {
  const remembered = new Map<string, Remembered<T>>();

  function remember(key: string, value: T, lookups: readonly Lookup[]): void {
    const answers = lookups.map(({ outcome }) => (Array.isArray(outcome) ? outcome.flat().join("\n") : ""));
    const chars = answers.reduce((sum, answer) => sum + answer.length, key.length);
    remembered.delete(key);
    // Of a lookup that is under way still, the answer may be of any length.
    if (lookups.some(({ outcome }) => outcome === undefined)) return;
    if (lookups.length > MAX_LOOKUPS || chars > MAX_CHARS || answers.some(dependsOnMore)) return;
    remembered.set(key, { lookups, value });
    const oldest = remembered.keys().next();
    if (remembered.size > MAX_REMEMBERED && !oldest.done) remembered.delete(oldest.value);
  }

  return async (key, resolver, evaluate) => {
    const known = remembered.get(key);
    const repeated: ReturnType<MailauthResolver>[] = [];
    if (known !== undefined && (await haveSameOutcome(known.lookups, resolver, repeated))) return known.value;
    const made = new Map<string, ReturnType<MailauthResolver>>();
    const lookups: Lookup[] = [];
    const noted = (name: string, type: string, answer: ReturnType<MailauthResolver>): typeof answer => {
      const lookup: Lookup = { name, type, outcome: undefined };
      const note = (outcome: unknown) => {
        lookup.outcome = outcome;
      };
      lookups.push(lookup);
      made.set(`${type} ${name}`, answer);
      answer.then(note, note);
      return answer;
    };
    for (const [index, answer] of repeated.entries()) {
      const { name = "", type = "" } = known?.lookups[index] ?? {};
      void noted(name, type, answer);
    }
    const value = await evaluate(
      (name, type) => made.get(`${type} ${name}`) ?? noted(name, type, resolver(name, type)),
    );
    remember(key, value, lookups);
    return value;
  };
}

/** Whether each lookup comes to the same, up to the first that doesn't. Those that were made are added to `repeated`. */
async function haveSameOutcome(
  lookups: readonly Lookup[],
  resolver: MailauthResolver,
  repeated: ReturnType<MailauthResolver>[],
): Promise<boolean> {
  for (const { name, type, outcome } of lookups) {
    const answer = resolver(name, type);
    repeated.push(answer);
    let now: unknown;
    try {
      now = await answer;
    } catch (error) {
      now = error;
    }
    if (now !== outcome) return false;
  }
  return true;
}
