import type { Database } from "../connections/database.ts";
import { quoteName } from "../schema.ts";
import { isRefusal } from "../storage/postgres-errors.ts";
import { charactersOf, type SearchStatements } from "./search-index.ts";

/** Moves new words into the search index, so that neither searches nor writes have to. */
export interface SearchUpkeep {
  /** The same statements; words that they write are moved soon. */
  watch(search: SearchStatements): SearchStatements;
  /** Moves nothing from now on. */
  close(): void;
}

/** Words are moved once there are so many characters of them: the fewer wait, the less a search reads, but the more each costs to move. */
const MOVED_CHARACTERS = 160 * 1024;
/** Fewer are moved after this time. */
const QUIET_MS = 1_000;
/** The time after which writes that were pending at the limit have usually finished. */
const WRITTEN_MS = 10;

/**
 * PostgreSQL keeps new words of a GIN index in a list until it is full. The next writer then moves all of them, which
 * takes 45 ms for a full list and delays everything that shares its transaction. A separate statement does that in the
 * background. It only runs earlier than PostgreSQL would: where it is refused, such as for a role that doesn't own the
 * index, writes move the words as before.
 */
export function createSearchUpkeep(database: Pick<Database, "run">, schema: string): SearchUpkeep {
  const statement = {
    sql: "select gin_clean_pending_list($1::regclass)",
    parameters: [`${quoteName(schema)}."search_lexemes"`],
  };
  let characters = 0;
  let running = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let due_ms = Number.POSITIVE_INFINITY;

  const move = async () => {
    timer = undefined;
    due_ms = Number.POSITIVE_INFINITY;
    running = true;
    characters = 0;
    try {
      await database.run(statement);
    } catch (error) {
      // Nothing is lost: searches read the words in the list, and a later try or write moves them.
      if (isRefusal(error)) stopped = true;
    }
    running = false;
    if (characters > 0) schedule();
  };
  const schedule = () => {
    if (running || stopped) return;
    const wanted_ms = characters >= MOVED_CHARACTERS ? WRITTEN_MS : QUIET_MS;
    if (wanted_ms >= due_ms) return;
    clearTimeout(timer);
    due_ms = wanted_ms;
    timer = setTimeout(() => void move(), wanted_ms);
    // Entries still in the list when the process ends are found by searches all the same.
    timer.unref();
  };

  return {
    watch: (search) => ({
      ...search,
      index(documents) {
        characters += documents.reduce((sum, document) => sum + charactersOf(document), 0);
        schedule();
        return search.index(documents);
      },
    }),
    close() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
