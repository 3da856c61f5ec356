import { oracleWords } from "../mail/oracle.ts";
import { commonWord, rareWord } from "../mail/stored-mail.ts";
import { askFor } from "../measure/ask-for.ts";
import { openFloor, openStore } from "../measure/opened-store.ts";
import { alternate, cpuEach } from "../measure/rounds.ts";
import { quantile, summary } from "../measure/statistics.ts";
import { inTemporaryFolder, withEnds } from "../measure/temporary-folder.ts";
import type { Figure, Metric, Run } from "../metric.ts";

/** How many mails are read whole to find out what a search has to find, and for how many words. */
const oracleMails = 10_000;
const oracleCount = 100;

/** Full-text search. */
export const search: Metric = {
  title: "Full-text search within an inbox over HTTP",
  async measure(run) {
    const { figures, notes } = await measureSpeed(run);
    const words = await compareWithOracle(run);
    const note = `${words} words of ${oracleMails} mails were found in just the mails in which reading them all finds them`;
    return { figures, notes: [...notes, note] };
  },
};

function measureSpeed(run: Run): Promise<{ figures: Figure[]; notes: string[] }> {
  return inTemporaryFolder((folder) =>
    withEnds(async (ends) => {
      const { store, product, load, headers } = await openStore(run, run.mails, ends);
      const floor = await openFloor(store, ends, folder);
      const at = `/api/v1/inboxes/${store.inbox_id}/messages/search`;
      const ask = (pid: number, base_url: string, path: string) => (ms: number) =>
        askFor(load, pid, { base_url, method: "GET", paths: [path], headers, connections: 1, ms });
      const figures: Figure[] = [];
      for (const [kind, word] of [
        ["rare", rareWord.word],
        ["common", commonWord],
      ] as const) {
        const rounds = await alternate(
          { ...run, round_ms: run.round_ms / 2 },
          {
            product: ask(product.pid, product.base_url, `${at}?q=${word}&limit=25`),
            floor: ask(floor.pid, floor.base_url, `/api/search?q=${word}&limit=25`),
          },
        );
        const p99 = (latencies: number[] = []) => quantile(latencies, 0.99);
        const ratios = rounds.product.map(
          ({ latencies }, index) => p99(latencies) / p99(rounds.floor[index]?.latencies),
        );
        figures.push(
          {
            name: `search: p99 of a ${kind} word / floor`,
            unit: "×",
            ...summary(ratios),
            target: { at_most: 2 },
          },
          {
            name: `search: p99 of a ${kind} word`,
            unit: "ms",
            ...summary(rounds.product.map(({ latencies }) => p99(latencies))),
            target: { at_most: 5 },
          },
          { name: `search: CPU of a ${kind} word`, unit: "µs", ...summary(rounds.product.map(cpuEach)) },
        );
      }
      const hits = await messageIdsOf(product.base_url, `${at}?q=${rareWord.word}`, headers);
      const expected = Math.ceil(store.mails / rareWord.every);
      if (hits.length !== expected)
        throw new Error(`the rare word is in ${expected} mails; ${hits.length} were found`);
      return {
        figures,
        notes: [`the rare word was found in all ${expected} mails that hold it, and in no other`],
      };
    }),
  );
}

/**
 * Searches for words of all languages of a small store, and reads all its mails for them; answers how many
 * words there were.
 */
function compareWithOracle(run: Run): Promise<number> {
  return withEnds(async (ends) => {
    const { store, product, headers } = await openStore(run, oracleMails, ends);
    const words = oracleWords({ mails: oracleMails, seed: run.seed, count: oracleCount });
    for (const { word, message_ids } of words) {
      // In quotes, since the last word of a search is else the beginning of one.
      const path = `/api/v1/inboxes/${store.inbox_id}/messages/search?q=${encodeURIComponent(`"${word}"`)}`;
      const found = await messageIdsOf(product.base_url, path, headers);
      const wrong = found.filter((id) => !message_ids.has(id));
      if (wrong.length > 0 || found.length !== message_ids.size)
        throw new Error(
          `"${word}" is in ${message_ids.size} mails; ${found.length} were found, ${wrong.length} of them wrongly`,
        );
    }
    return words.length;
  });
}

/** The Message-IDs of all hits, page by page. */
async function messageIdsOf(
  base_url: string,
  path: string,
  headers: Record<string, string>,
): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = (await (await fetch(`${base_url}${path}&limit=100${more}`, { headers })).json()) as {
      data: { message: { message_id: string } }[];
      next_cursor: string | null;
    };
    found.push(...answer.data.map(({ message }) => message.message_id));
    cursor = answer.next_cursor;
  } while (cursor !== null);
  return found;
}
