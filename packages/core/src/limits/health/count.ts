import { LIMITS } from "../../catalogue/limits.ts";
import type { SendingReportRecord } from "../../model/health.ts";
import type { StorageReader, StorageWriter } from "../../ports/storage.ts";
import { dayOf, healthDays, judgeHealth, type SendingCounts, type SendingHealth } from "./rules.ts";

/** Adds sent, bounced and complaining recipients to the counts of today (UTC). */
export async function countSending(
  storage: StorageWriter,
  account_id: string,
  counts: Partial<SendingCounts>,
  now: Date,
): Promise<void> {
  const { sent = 0, bounced = 0, complained = 0 } = counts;
  if (sent + bounced + complained === 0) return;
  const day = dayOf(now);
  const change = { sent: { add: sent }, bounced: { add: bounced }, complained: { add: complained } };
  const add = () => storage.update("sending_days", { account_id, day }, change);
  if ((await add()).length > 0) return;
  const { inserted } = await storage.insert("sending_days", { account_id, day, sent, bounced, complained });
  if (!inserted) await add();
}

/** A proven report about mail to an organisation. */
interface CountedReport {
  /** `hard` is a bounce too. */
  kind: SendingReportRecord["kind"];
  /** The organisational domain of the recipient. */
  domain: string;
}

/** Counts a proven report, once per day and organisation: a server often repeats the same report. */
export async function countReport(
  storage: StorageWriter,
  account_id: string,
  { kind, domain }: CountedReport,
  now: Date,
): Promise<void> {
  const isFirst = async (of: SendingReportRecord["kind"]) =>
    (await storage.insert("sending_reports", { account_id, kind: of, day: dayOf(now), domain })).inserted;
  if (kind === "complaint") {
    if (await isFirst("complaint")) await countSending(storage, account_id, { complained: 1 }, now);
    return;
  }
  if (kind === "hard") await isFirst("hard");
  if (await isFirst("bounce")) await countSending(storage, account_id, { bounced: 1 }, now);
}

/** An account's sending health over the last seven days. */
export async function sendingHealth(
  reader: Pick<StorageReader, "find">,
  account_id: string,
  now: Date,
): Promise<SendingHealth> {
  const days = healthDays(now);
  const counts = await reader.find("sending_days", {
    where: { account_id, day: { in: days } },
    limit: days.length,
  });
  const health = judgeHealth(counts, NO_REPORTS);
  if (!health.beyond) return health;
  const [hard, complaints] = await Promise.all(
    (["hard", "complaint"] as const).map((kind) =>
      reader.find("sending_reports", { where: { account_id, kind, day: { in: days } }, limit: MAX_REPORTS }),
    ),
  );
  return judgeHealth(counts, { hard: domainsOf(hard), complaints: domainsOf(complaints) });
}

const NO_REPORTS = { hard: [], complaints: [] };

/** More reports than this of one kind come from several organisations, since each counts once a day. */
const MAX_REPORTS = 5 * LIMITS.health_days;

const domainsOf = (reports: readonly SendingReportRecord[] = []): string[] =>
  reports.map(({ domain }) => domain);
