import type { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { noProof } from "../../mail/sender/proof.ts";
import { bodiesOf, findBody, findMessage, isHeld, listMessages } from "../../mailbox/messages/index.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRuleRecord, RuleActions, RuleConditions } from "../../model/inbox-rules.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { makerOf } from "../rules/makers.ts";
import { planFor, type RuledMail, rulesOf } from "../rules/meet.ts";
import { conditionResults, foldFacts, matches, type RuleFacts } from "../rules/rules.ts";
import { decide } from "./decide.ts";
import { composeInput, type InjectInput, statedFieldsOf } from "./inject.ts";
import { factsOfMail, factsOfStored, wasNew } from "./meet-rules.ts";
import { isWord } from "./release.ts";
import { entryProof, lookUpAuthor, lookUpSender, matchSender } from "./sender/look-up-sender.ts";
import { proofOfStored } from "./sender/stored-proof.ts";

interface GivenRule {
  name: string;
  conditions: RuleConditions;
  actions: RuleActions;
}

interface GivenMail {
  message_id: string | undefined;
  raw: Uint8Array | undefined;
  message: Partial<z.output<typeof InjectInput>> | undefined;
}

/** Tries the rules of an inbox, or a given one, on one mail. */
export async function testRules(ctx: InboxContext, mail: GivenMail, given: GivenRule | undefined) {
  const { inbox, now, storage } = ctx;
  const rules = given === undefined ? await rulesOf(storage, inbox.id) : [asRecord(ctx, given)];
  const { facts, is_word } =
    mail.message_id === undefined ? await readGiven(ctx, mail) : await readStored(ctx, mail.message_id);
  const ruled = await planFor(
    { storage },
    rules,
    facts,
    { isWord: async () => is_word, released: false },
    now,
  );
  const folded = foldFacts(facts);
  const data = rules
    .filter(({ enabled }) => enabled)
    .map((rule) => ({
      rule_id: given === undefined ? rule.id : null,
      name: rule.name,
      conditions: conditionResults(rule.conditions, folded),
      ...outcomeOf(rule, ruled),
    }));
  return {
    ...{ inbox_id: inbox.id, tested: 1, data },
    matches: data.some(({ matched }) => matched) ? 1 : 0,
  };
}

/** What comes of a rule: nothing where it doesn't match, an earlier one ended the processing, or its writer has ended. */
function outcomeOf({ id }: InboxRuleRecord, { matched }: RuledMail) {
  const found = matched.find(({ rule_id }) => rule_id === id);
  return { matched: found !== undefined, actions: found?.actions ?? [], skipped: found?.skipped ?? [] };
}

/** A rule that isn't stored, as if the caller had just written it. */
const asRecord = (ctx: InboxContext, given: GivenRule): InboxRuleRecord => ({
  ...{ id: "", account_id: ctx.inbox.account_id, inbox_id: ctx.inbox.id, enabled: true, position: 1 },
  ...{ stop_processing: false, match_count: 0, last_matched_at: null, last_error: null, client_id: null },
  ...{ created_at: iso(ctx.now), updated_at: iso(ctx.now) },
  ...given,
  ...makerOf(ctx),
});

async function readStored(
  ctx: InboxContext,
  message_id: string,
): Promise<{ facts: RuleFacts; is_word: boolean }> {
  const { inbox, storage } = ctx;
  const message = await findMessage(storage, inbox.id, message_id);
  if (isHeld(message)) throw fail("message_held");
  const body = await findBody(storage, message);
  const sender = matchSender(
    await lookUpSender(ctx, inbox, message.from),
    await entryProof(ctx, inbox, proofOfStored(message, body.decisions)),
  );
  return {
    facts: factsOfStored(message, body, await wasNew(ctx, inbox.id, message)),
    is_word: await isWord(ctx, inbox, { message, body, sender }),
  };
}

/** Reads and screens a mail that is given, whose sender nothing proves. */
async function readGiven(
  ctx: InboxContext,
  { raw, message = {} }: GivenMail,
): Promise<{ facts: RuleFacts; is_word: boolean }> {
  const { inbox, now, options, parser } = ctx;
  const { from, auth, ...fields } = message;
  if (raw === undefined && from === undefined)
    throw fail("invalid_request", {
      param: "message.from",
      message: "A mail needs its author in from.",
    });
  const input = { ...fields, inbox_id: inbox.id, imported: false };
  const bytes =
    raw === undefined && from !== undefined
      ? await composeInput(ctx, { ...input, from })
      : (raw ?? new Uint8Array());
  const stated = statedFieldsOf({ ...input, from });
  const mail = await parser.parse(bytes, {
    ...(stated === undefined ? {} : { stated }),
    screeningTimeoutMs: inbox.screening === "off" ? null : options.screeningTimeoutMs,
    searchLetters: false,
  });
  const { spf = "none", dkim = "none", dmarc = "none" } = auth ?? {};
  const proof = noProof("it was given for a test");
  const author = matchSender(await lookUpAuthor(ctx, inbox, mail), await entryProof(ctx, inbox, proof));
  const evidence = {
    ...{ mail, origin: "injected" as const, proof, redacted: false, received_at: now },
    ...{ mail_from: mail.from[0]?.address ?? "", size_bytes: bytes.length },
    raw: { hash: "", put: () => undefined },
    authentication: {
      ...{ spf, dkim, dmarc, passes: dmarc === "pass" || dkim === "pass", forwarded_by: null },
      reasons: [],
    },
  };
  const decided = await decide(ctx, inbox, evidence, author, now);
  return { facts: factsOfMail(inbox, evidence, decided, author), is_word: false };
}

const BATCH = 100;

/** Counts the newest received messages that a rule matches. */
export async function countMatches(ctx: InboxContext, { conditions }: GivenRule, last: number) {
  const { inbox, storage } = ctx;
  // Whether a sender was new takes two queries: it is looked up only where everything else holds.
  const { new_sender, ...others } = conditions;
  let [read, tested, found] = [0, 0, 0];
  let before: string | undefined;
  while (read < last) {
    const page: MessageRecord[] = await listMessages(
      storage,
      { inbox_id: inbox.id, direction: "inbound", order: "desc" },
      before,
      Math.min(BATCH, last - read),
    );
    const mails = page.filter((message) => message.channel === "email" && !isHeld(message));
    const bodies = await bodiesOf(storage, mails);
    for (const message of mails) {
      const body = bodies.get(message.id);
      if (body === undefined) continue;
      tested += 1;
      if (!matches(others, foldFacts(factsOfStored(message, body, false)))) continue;
      if (new_sender === undefined || new_sender === (await wasNew(ctx, inbox.id, message))) found += 1;
    }
    read += page.length;
    if (page.length < BATCH) break;
    before = page.at(-1)?.id;
    await ctx.yieldToEventLoop();
  }
  return { inbox_id: inbox.id, tested, matches: found, data: [] };
}
