import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { buildStore } from "../mail/store.ts";
import { RARE_WORD } from "../mail/stored-mail.ts";
import { inTemporaryFolder } from "../measure/cleanup.ts";
import { readAnonymousMb, readResidentMb } from "../measure/process-cost.ts";
import { startProduct } from "../measure/product.ts";
import { summary } from "../measure/statistics.ts";
import type { Figure, Metric } from "../metric.ts";

const SETTLE_MS = 1_500;
const READS_PER_PATH = 200;

/** The server's start time and memory, idle and with much stored mail. */
export const footprint: Metric = {
  title: "Start to first answer, anonymous and resident memory, disk",
  async measure(run) {
    const starts: number[] = [];
    const idle: number[] = [];
    const residentIdle: number[] = [];
    for (let round = 0; round < Math.min(run.rounds, 3); round++) {
      await inTemporaryFolder(async (folder) => {
        // The first start generates keys; we measure later starts.
        await (await startProduct(folder)).end();
        const began = performance.now();
        const product = await startProduct(folder);
        await fetch(`${product.base_url}/readyz`);
        starts.push(performance.now() - began);
        await after(SETTLE_MS);
        idle.push(readAnonymousMb(product.pid) ?? Number.NaN);
        residentIdle.push(readResidentMb(product.pid) ?? Number.NaN);
        await product.end();
      });
    }
    const store = await buildStore(run.mails, run.seed, run.log);
    const product = await startProduct(store.folder, { SMTP_PORT: "off" });
    const headers = { authorization: `Bearer ${store.api_key}` };
    const inbox = `${product.base_url}/api/v1/inboxes/${store.inbox_id}/messages`;
    for (let read = 0; read < READS_PER_PATH; read++) {
      for (const path of [
        "?limit=25",
        `/search?q=${RARE_WORD.word}&limit=25`,
        "?limit=25&view=summary&label=unread",
      ])
        await (await fetch(`${inbox}${path}`, { headers })).arrayBuffer();
    }
    const anonymous = readAnonymousMb(product.pid) ?? Number.NaN;
    const resident = readResidentMb(product.pid) ?? Number.NaN;
    await product.end();
    const bytes = statSync(join(store.folder, "letterslot.db")).size;
    const mails = `${run.mails.toLocaleString("en-US")} mails`;
    const figures: Figure[] = [
      { name: "footprint: start to first answer", unit: "ms", ...summary(starts), target: { at_most: 1000 } },
      { name: "footprint: anonymous memory, idle", unit: "MB", ...summary(idle), target: { at_most: 85 } },
      { name: "footprint: resident memory, idle", unit: "MB", ...summary(residentIdle) },
      {
        name: `footprint: anonymous memory beside ${mails}`,
        unit: "MB",
        value: anonymous,
        target: { at_most: 350 },
      },
      { name: `footprint: resident memory beside ${mails}`, unit: "MB", value: resident },
      {
        name: "footprint: database bytes a mail, without raw mail",
        unit: "KB",
        value: bytes / store.mails / 1024,
      },
    ];
    return { figures };
  },
};
