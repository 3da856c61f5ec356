import type { Connection } from "./connection.ts";

/**
 * The form of ids (core's `ids.ts`): nine characters of time, ten that count up within a millisecond, one
 * check character.
 */
const idForm =
  /^[a-z]+_([0-9a-hjkmnp-tv-z]{9})[0-9a-hjkmnp-tv-z]{6}([0-9a-hjkmnp-tv-z]{4})[0-9a-hjkmnp-tv-z]$/;
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Bits below the time: twenty of the counting characters, and one to step aside. */
const LOW_BITS = 21n;
const TIME_MASK = (1n << 42n) - 1n;
/** Ids that fall on the same number stand in the next free one, no further away than this. */
const WINDOW = 16n;

/**
 * A number that rises with the message id; two ids share it only if they were made in the same millisecond
 * and end alike.
 */
export function rowNumberOf(message_id: string): bigint {
  const [, time, tail] = idForm.exec(message_id) ?? [];
  if (time === undefined || tail === undefined) throw new Error("this is no message id");
  return ((BigInt(valueOf(time)) & TIME_MASK) << LOW_BITS) | (BigInt(valueOf(tail)) << 1n);
}

/** The row that a message has in the search index, or undefined. */
export function rowOf(connection: Connection, message_id: string): bigint | undefined {
  const first = rowNumberOf(message_id);
  const sql =
    'select cast("id" as text) as "id" from "search_rows" where "id" between ? and ? and "message_id" = ?';
  const row = connection.row(sql, first, first + WINDOW, message_id);
  return row === undefined ? undefined : BigInt(row["id"] as string);
}

/** Gives a message that has no row the first free one. */
export function takeRow(connection: Connection, message_id: string): bigint {
  const first = rowNumberOf(message_id);
  for (let row = first; row <= first + WINDOW; row++) {
    const sql = 'insert into "search_rows" ("id", "message_id") values (?, ?) on conflict do nothing';
    if (connection.run(sql, row, message_id) > 0) return row;
  }
  throw new Error("too many message ids fall on one number");
}

function valueOf(characters: string): number {
  let value = 0;
  for (const character of characters) value = value * 32 + alphabet.indexOf(character);
  return value;
}
