import { LIMITS } from "../../../catalogue/limits.ts";
import type { Services } from "../../../kernel/context.ts";
import { count, countedSoFar } from "../../../kernel/rate.ts";
import type { LetterRecord } from "../../../model/letters.ts";
import type { ReadMail } from "../../../model/read-mail.ts";
import { type LiveCode, liveCodesTo, voidCode } from "../../../owners/sessions/index.ts";
import type { FileText } from "../reading/read-files.ts";

/** A live code found among a mail's numbers. */
interface FoundCode extends LiveCode {
  email: string;
  number: string;
}

/** The numbers in a mail that may be codes. */
interface Numbers {
  /** The numbers visible to readers. */
  shown: ReadonlySet<string>;
  all: ReadonlySet<string>;
  /** Whether `all` is complete. */
  whole: boolean;
}

/** The numbers in a mail and in its files. */
export function numbersOf({ searched }: Pick<ReadMail, "searched">, files: readonly FileText[]): Numbers {
  const found = files.flatMap((file) => file.found ?? []);
  const shown = new Set([...(searched?.numbers ?? []), ...found.flatMap(({ numbers }) => numbers)]);
  return {
    shown,
    all: new Set([...shown, ...(searched?.hidden ?? [])]),
    whole: searched?.whole !== false && found.every(({ whole }) => whole),
  };
}

/** The live codes for some addresses, and which of a mail's numbers they are. */
interface LiveCodes {
  /** Whether any lives. */
  live: boolean;
  found: FoundCode[];
}

/** Addresses whose codes are looked up for one mail. */
const MAX_ADDRESSES = 20;
/** The number of comparisons in one turn of the event loop; they take a few milliseconds. */
const COMPARED_AT_ONCE = 200;

/** Looks up the codes that live for these addresses, and compares the numbers of a mail with them. */
export async function findLiveCodes(
  services: Services,
  emails: Iterable<string>,
  { all }: Numbers,
  now: Date,
): Promise<LiveCodes> {
  const found: FoundCode[] = [];
  let live = false;
  for (const email of [...emails].slice(0, MAX_ADDRESSES))
    for (const code of await liveCodesTo(services, email, now)) {
      live = true;
      let compared = 0;
      for (const number of all) {
        compared += 1;
        if (compared % COMPARED_AT_ONCE === 0) await services.yieldToEventLoop();
        if (code.is(number)) found.push({ ...code, email, number });
      }
    }
  return { live, found };
}

const HOUR_MS = 3600_000;

/** The evidence that a mail holds the letter of a code. */
interface Holding {
  /** Letters identified by a secret of their own, by our signature, or by a Message-ID that no key can read. */
  proven: readonly LetterRecord[];
  /** Letters identified by a Message-ID that a key can read. */
  named: readonly LetterRecord[];
  /** Kinds of letters identified by their sentences. */
  frames: readonly LetterRecord["kind"][];
}

/**
 * Voids the codes whose letters a mail holds. Evidence that a stranger could have forged counts only with few numbers
 * in the mail, and only a limited number of times, so that nobody voids a code by guessing it.
 */
export async function voidHeldCodes(
  services: Services,
  found: readonly FoundCode[],
  { proven, named, frames }: Holding,
  { shown, whole }: Numbers,
  now: Date,
): Promise<void> {
  const isCodeOf = ({ kind, subject_id }: FoundCode, letters: readonly LetterRecord[]) =>
    letters.some((letter) => letter.kind === kind && letter.subject_id === subject_id);
  for (const code of found) {
    const voids = () => voidCode(services, code, [code.number], now);
    if (isCodeOf(code, proven)) await voids();
    else if (!whole || shown.size > LIMITS.letter_guesses || !shown.has(code.number)) continue;
    else if (
      isCodeOf(code, named) ||
      (frames.includes(code.kind) && (await mayVoid(services, code.email, now)))
    ) {
      // Counted before, so that mails that come in together are held to the number too.
      const { within, give_back } = await count(services.storage, hourly(code.email), now);
      const voided = (within || isCodeOf(code, named)) && (await voids());
      if (!voided) await give_back();
      else await stopAfterLast(services, code.email, now);
    }
  }
}

const hourly = (email: string) => ({
  name: `letter-voids:${email}`,
  max: LIMITS.letter_voids_per_hour,
  window_ms: HOUR_MS,
});
const stopped = (email: string) => ({ name: `letter-voids-end:${email}`, max: 1, window_ms: 24 * HOUR_MS });

const mayVoid = async ({ storage }: Services, email: string, now: Date): Promise<boolean> =>
  (await countedSoFar(storage, stopped(email), now)) === 0;

async function stopAfterLast({ storage }: Services, email: string, now: Date): Promise<void> {
  if ((await countedSoFar(storage, hourly(email), now)) >= LIMITS.letter_voids_per_hour)
    await count(storage, stopped(email), now);
}
