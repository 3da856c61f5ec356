import type { Connection } from "../connection.ts";

/** The form of core's ids: 9 characters of time, 10 that count up within a millisecond, 1 check character. */
const ID_FORM =
  /^[a-z]+_([0-9a-hjkmnp-tv-z]{9})[0-9a-hjkmnp-tv-z]{6}([0-9a-hjkmnp-tv-z]{4})[0-9a-hjkmnp-tv-z]$/;
const ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Bits below the time: 20 of the counting characters, and one to leave gaps. */
const LOW_BITS = 21n;
const TIME_MASK = (1n << 42n) - 1n;
/** Ids that map to the same row take the next free one, at most this far away. */
const MAX_OFFSET = 16n;

/** A row id that rises with the message id. Only ids made in the same millisecond can collide. */
export function idToRow(message_id: string): bigint {
  const [, time, tail] = ID_FORM.exec(message_id) ?? [];
  if (time === undefined || tail === undefined) throw new Error("malformed message id");
  return ((BigInt(decode(time)) & TIME_MASK) << LOW_BITS) | (BigInt(decode(tail)) << 1n);
}

/** A message's row in the search index, or undefined. */
export function findRow(connection: Connection, message_id: string): bigint | undefined {
  const first = idToRow(message_id);
  const sql =
    'select cast("id" as text) as "id" from "search_rows" where "id" between ? and ? and "message_id" = ?';
  const row = connection.row(sql, first, first + MAX_OFFSET, message_id);
  return row === undefined ? undefined : BigInt(row["id"] as string);
}

/** Gives a message its preferred row, if it has none yet and that row is free; returns whether it did. */
export function insertFirst(connection: Connection, message_id: string, first: bigint): boolean {
  const sql = `insert into "search_rows" ("id", "message_id")
    select ?, ? where not exists (select 1 from "search_rows" where "id" between ? and ? and "message_id" = ?)
    on conflict do nothing`;
  return connection.run(sql, first, message_id, first, first + MAX_OFFSET, message_id) > 0;
}

/** Inserts a message that has no row yet; returns its row. */
export function insertRow(connection: Connection, message_id: string): bigint {
  const first = idToRow(message_id);
  for (let row = first; row <= first + MAX_OFFSET; row++) {
    const sql = 'insert into "search_rows" ("id", "message_id") values (?, ?) on conflict do nothing';
    if (connection.run(sql, row, message_id) > 0) return row;
  }
  throw new Error("too many message ids map to the same search row");
}

function decode(characters: string): number {
  let value = 0;
  for (const character of characters) value = value * 32 + ID_ALPHABET.indexOf(character);
  return value;
}
