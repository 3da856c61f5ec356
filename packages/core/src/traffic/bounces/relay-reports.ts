import { isId } from "../../catalogue/ids.ts";
import type { Services } from "../../kernel/context.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { iso } from "../../model/fields.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { RelayReport, TakenReports } from "../../model/relay-reports.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { recordFindings } from "./record-findings.ts";
import { findingOfRelay, newFindings, proofOfReport } from "./rules.ts";

/** Messages under one id of a relay: more than it ever gives to several. */
const MAX_UNDER_ONE_ID = 10;
/** The counter that exists once a relay has reported; it never expires. */
const RELAY_REPORTED = "relay-reported";
const NEVER = "9999-12-31T23:59:59.999Z";

/** Whether the operator's relay has ever reported anything of our mail. */
export const hasRelayReported = async (storage: Pick<StorageReader, "get">): Promise<boolean> =>
  (await storage.get("counters", RELAY_REPORTED)) !== undefined;

/**
 * Takes in what the operator's relay reports of mail that was handed to it: the word of a trusted reporter, with all
 * consequences that a proven report has. Reports about mail that isn't ours, recipients that it didn't have, and times
 * before it was made or ahead are ignored. Repeated reports change nothing.
 */
export async function takeRelayReports(
  services: Services,
  reports: readonly RelayReport[],
  now: Date,
): Promise<TakenReports> {
  const taken: TakenReports = { accepted: 0, repeated: 0, ignored: 0 };
  for (const report of reports) taken[await takeReport(services, report, now)] += 1;
  if (taken.accepted + taken.repeated > 0)
    await services.storage.insert("counters", { name: RELAY_REPORTED, count: 1, expires_at: NEVER });
  return taken;
}

async function takeReport(services: Services, report: RelayReport, now: Date): Promise<keyof TakenReports> {
  const message = await findSent(services.storage, report);
  if (message === undefined) return "ignored";
  return unitOfWork(services, message.account_id, now, async (work: Work) => {
    const current = await work.get("messages", message.id);
    const finding = current && findingOfRelay(current, report, now);
    if (current === undefined || finding === undefined) return "ignored";
    const proven = [{ ...finding, proof: proofOfReport({ channel: "relay" }) }];
    if (newFindings(current, proven).length === 0) return "repeated";
    await recordFindings(services, work, current, proven, now);
    return "accepted";
  });
}

/** The message that a report is about, by our own Message-ID or by the id that the relay gave it. */
async function findSent(
  storage: Pick<StorageReader, "get" | "find">,
  { message_id, provider_id }: RelayReport,
): Promise<MessageRecord | undefined> {
  if (message_id !== undefined) {
    const local = /^<?([^<>@]+)@[^<>@]+>?$/.exec(message_id.trim())?.[1] ?? "";
    const bare = message_id.trim().replace(/^<|>$/g, "");
    const found = isId("msg", `msg_${local}`) ? await storage.get("messages", `msg_${local}`) : undefined;
    const same = found?.message_id === `<${bare}>`;
    return found?.direction === "outbound" && same ? found : undefined;
  }
  const named = await storage.find("relay_ids", {
    where: { provider_id: provider_id ?? "" },
    limit: MAX_UNDER_ONE_ID,
  });
  const [only, ...others] = named;
  // An id that two messages have says nothing of either.
  return only === undefined || others.length > 0 ? undefined : storage.get("messages", only.message_id);
}

/** Notes the ids under which the relay took a message, in the transaction that stores them. */
export function noteRelayIds(
  work: Pick<Work, "append">,
  before: MessageRecord,
  after: MessageRecord,
  now: Date,
): void {
  const idsOf = ({ delivery_events }: MessageRecord) =>
    new Set(delivery_events.flatMap(({ provider_id }) => provider_id ?? []));
  const known = idsOf(before);
  const { account_id, id: message_id } = after;
  work.append(
    "relay_ids",
    [...idsOf(after)]
      .filter((provider_id) => !known.has(provider_id))
      .map((provider_id) => ({ account_id, provider_id, message_id, at: iso(now) })),
  );
}
