import { oracleWords } from "../mail/oracle.ts";
import { COMMON_WORD, RARE_WORD } from "../mail/stored-mail.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { measureRequests } from "../measure/measure-requests.ts";
import { openFloor, openStore } from "../measure/opened-store.ts";
import { alternate, cpuEach, p99 } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import type { Figure, Metric, Run } from "../metric.ts";

/** The numbers of mails and words for which the expected hits are determined by reading each mail in full. */
const ORACLE_MAILS = 10_000;
const ORACLE_WORDS = 100;

/** Full-text search. */
export const search: Metric = {
  title: "Full-text search within an inbox over HTTP",
  async measure(run) {
    const { figures, notes } = await measureSpeed(run);
    const words = await compareWithOracle(run);
    const note = `${words} words were searched in ${ORACLE_MAILS} mails: the hits are exactly those of reading every mail`;
    return { figures, notes: [...notes, note] };
  },
};

function measureSpeed(run: Run): Promise<{ figures: Figure[]; notes: string[] }> {
  return inTemporaryFolder((folder) =>
    withCleanup(async (cleanups) => {
      const { store, product, load, headers } = await openStore(run, run.mails, cleanups);
      const floor = await openFloor(store, cleanups, folder);
      const at = `/api/v1/inboxes/${store.inbox_id}/messages/search`;
      const ask = (pid: number, base_url: string, path: string) => (ms: number) =>
        measureRequests(load, pid, { base_url, method: "GET", paths: [path], headers, connections: 1, ms });
      const figures: Figure[] = [];
      for (const [kind, word] of [
        ["rare", RARE_WORD.word],
        ["common", COMMON_WORD],
      ] as const) {
        const rounds = await alternate(
          { ...run, round_ms: run.round_ms / 2 },
          {
            product: ask(product.pid, product.base_url, `${at}?q=${word}&limit=25`),
            floor: ask(floor.pid, floor.base_url, `/api/search?q=${word}&limit=25`),
          },
        );
        const ratios = rounds.product.map((round, index) => p99(round) / p99(rounds.floor[index]));
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
            ...summary(rounds.product.map(p99)),
            target: { at_most: 5 },
          },
          { name: `search: CPU of a ${kind} word`, unit: "µs", ...summary(rounds.product.map(cpuEach)) },
        );
      }
      const hits = await fetchMessageIds(product.base_url, `${at}?q=${RARE_WORD.word}`, headers);
      const expected = Math.ceil(store.mails / RARE_WORD.every);
      if (hits.length !== expected)
        throw new Error(`the rare word is in ${expected} mails; ${hits.length} were found`);
      return {
        figures,
        notes: [`the rare word was found in all ${expected} mails that contain it, and in no other`],
      };
    }),
  );
}

/** Compares searches in a small store with reading all its mails; returns the number of words tried. */
function compareWithOracle(run: Run): Promise<number> {
  return withCleanup(async (cleanups) => {
    const { store, product, headers } = await openStore(run, ORACLE_MAILS, cleanups);
    const words = oracleWords({ mails: ORACLE_MAILS, seed: run.seed, count: ORACLE_WORDS });
    for (const { word, message_ids } of words) {
      // In quotes, since otherwise the last word of a search is a prefix.
      const path = `/api/v1/inboxes/${store.inbox_id}/messages/search?q=${encodeURIComponent(`"${word}"`)}`;
      const found = await fetchMessageIds(product.base_url, path, headers);
      const wrong = found.filter((id) => !message_ids.has(id));
      if (wrong.length > 0 || found.length !== message_ids.size)
        throw new Error(
          `"${word}" is in ${message_ids.size} mails; ${found.length} were found, ${wrong.length} of them wrongly`,
        );
    }
    return words.length;
  });
}

/** Fetches the Message-IDs of all hits. */
async function fetchMessageIds(
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
