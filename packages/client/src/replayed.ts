import type { Replayed } from "@letterslot/core";
import { LetterslotApiError } from "./error.ts";

/** Calls that a key can't make without being able to read what they make, so that a repetition always shows it. */
type ReadByTheirCallers = "consumers.create" | "webhooks.redeliver" | "webhooks.test";

/** The answer of a call whose repetition may be answered `Replayed`, itself or in place of the records in it. */
export type RepeatedAnswer<Name extends string, T> = Name extends ReadByTheirCallers ? T : OrReplayed<T>;

type OrReplayed<T> = T extends { id: string; object: string }
  ? T | Replayed
  : T extends (infer I)[]
    ? OrReplayed<I>[]
    : T extends object
      ? { [K in keyof T]: OrReplayed<T[K]> }
      : T;

/**
 * Returns the record that a call made. Throws `LetterslotApiError` with the code `replayed` where the key has no
 * permission to read what an earlier call made, so that only its id was answered: never for a key with all permissions.
 */
export function whole<T extends object>(answer: T): Exclude<T, Replayed> {
  const { object, kind, id } = answer as Partial<Replayed>;
  if (object !== "replayed") return answer as Exclude<T, Replayed>;
  const message = `The key may not read the ${kind} ${id}.`;
  throw new LetterslotApiError({ code: "replayed", message, status: 200 });
}
