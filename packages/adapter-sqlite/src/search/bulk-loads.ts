import { AUTOCHECKPOINT_PAGES, CACHE_KIB, type Connection } from "../connection.ts";
import type { Batch, GroupCommit } from "../group-commit/index.ts";

/** Loads of very many records, during which the search index is merged less often. */
export interface BulkLoads {
  /** Runs a load; resolves once all of it is on disk and the index is merged as usual again. */
  run<T>(load: () => Promise<T>): Promise<T>;
  /** Stops merging after the current step. The next process to open the database continues. */
  close(): Promise<void>;
}

interface Settings {
  /** The settings by which FTS5 merges the segments of its index: section 6 of https://sqlite.org/fts5.html. */
  merging: { automerge: number; crisismerge: number; usermerge: number };
  /** The page cache of the writing connection. */
  cache_kib: number;
  /** The log length at which a commit makes a checkpoint itself. */
  autocheckpoint_pages: number;
}

/** Merging as FTS5 does it by default. */
const USUAL: Settings = {
  merging: { automerge: 4, crisismerge: 16, usermerge: 4 },
  cache_kib: CACHE_KIB,
  autocheckpoint_pages: AUTOCHECKPOINT_PAGES,
};
/**
 * As many segments are merged into one as FTS5 allows, so that each word is written twice and not once for every power
 * of four. `usermerge` is the number of segments of a size that may be left, before the usual merging would merge all
 * of them in one go, holding up everything else for seconds. Written pages are hardly read again, so a small cache
 * suffices. `checkpoints.ts` lets the log of a load grow to 50,000 pages.
 */
const LOADING: Settings = {
  merging: { automerge: 64, crisismerge: 512, usermerge: 16 },
  cache_kib: 4_000,
  autocheckpoint_pages: 100_000,
};
/** Pages that are merged in one step: about ten milliseconds. */
const PAGES_PER_STEP = 256;

/** FTS5 takes whole numbers only, and the driver binds every number as one with a fraction. */
const CONFIGURE_SQL = 'insert into "search" ("search", rank) values (?, cast(? as integer))';
const CONFIGURED_SQL = `select "v" from "search_config" where "k" = 'automerge'`;
const CHANGES_SQL = 'select total_changes() as "changes"';
/** A merge that finds nothing to do still counts as one change. */
const CHANGES_OF_NOTHING = 1;

/**
 * Creates bulk loads on a group commit; continues merging segments that an earlier process left, if `connection` shows
 * any.
 */
export function createBulkLoads(group: Pick<GroupCommit, "submit">, connection: Connection): BulkLoads {
  let loads = 0;
  let closing = false;
  const apply = (settings: Settings) => group.submit((batch) => applySettings(batch, settings));

  const mergeAll = async (): Promise<void> => {
    const mayMerge = () => loads === 0 && !closing;
    while (mayMerge() && (await group.submit(mergeSome)));
    if (mayMerge()) await apply(USUAL);
  };
  // Segments that a failing disk leaves unmerged are still searched, and merged after the next load or start.
  const merge = () => mergeAll().catch(() => undefined);
  let merging = isLoading(connection) ? merge() : Promise.resolve();

  return {
    async run(load) {
      loads++;
      try {
        await apply(LOADING);
        const loaded = await load();
        // A commit that is synced: all that the load has committed is on disk with it.
        await apply(LOADING);
        return loaded;
      } finally {
        loads--;
        merging = merging.then(merge);
        await merging;
      }
    },
    close() {
      closing = true;
      return merging;
    },
  };
}

/** Whether a load has begun whose segments were not all merged. */
const isLoading = (connection: Connection): boolean =>
  connection.row(CONFIGURED_SQL)?.["v"] === LOADING.merging.automerge;

function applySettings({ connection }: Batch, { merging, cache_kib, autocheckpoint_pages }: Settings): void {
  for (const [name, value] of Object.entries(merging)) connection.run(CONFIGURE_SQL, name, value);
  connection.script(
    `pragma cache_size = -${cache_kib}; pragma wal_autocheckpoint = ${autocheckpoint_pages}; pragma shrink_memory`,
  );
}

/** Merges some pages; returns whether there may be more to merge. */
function mergeSome({ connection }: Batch): boolean {
  const changes = () => Number(connection.row(CHANGES_SQL)?.["changes"]);
  const before = changes();
  connection.run(CONFIGURE_SQL, "merge", PAGES_PER_STEP);
  return changes() - before > CHANGES_OF_NOTHING;
}
