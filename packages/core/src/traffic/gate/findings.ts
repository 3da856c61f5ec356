import { LIMITS } from "../../catalogue/limits.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { EffectiveOutbound, Policy, PolicyGroup } from "../../model/outbound.ts";
import type { OutsideMentionRecord } from "../../model/outside-mentions.ts";
import type { ContentFinding, ContentScan } from "../../ports/content-scanner.ts";

/** The facts about one recipient of what is to leave. */
export interface RecipientFacts {
  address: string;
  /** The field that names it. */
  param: "to" | "cc" | "bcc" | "reply_to";
  /** A person in charge, or one whom they vouch for. */
  own: boolean;
  /** When mail first left to it. */
  left_at: string | null;
  /** The outside words that name it. */
  mention: Mention | undefined;
  /** The proven author of the mail that this answers, or somebody of theirs who was on it. */
  answered: boolean;
  /** The mail that this answers names it in From or Reply-To, and nothing proves who wrote that. */
  unproven: boolean;
}

/** The outside words that name a recipient. */
export interface Mention {
  /** When the first of them came. */
  first_at: string;
  message_id?: string;
  inbox_id?: string;
}

/** The mail that something came with, as findings name it: nothing of the parent's mail to a workspace. */
export const mailOf = (
  { account_id }: Pick<InboxRecord, "account_id">,
  {
    account_id: of,
    message_id,
    inbox_id,
  }: Pick<OutsideMentionRecord, "account_id" | "message_id" | "inbox_id">,
): { message_id?: string; inbox_id?: string } => (of === account_id ? { message_id, inbox_id } : {});

/** A file, code, link or run of words that came in with mail that a recipient wasn't on. */
export interface Elsewhere {
  kind: "file" | "code" | "text";
  name: string;
  message_id?: string;
  inbox_id?: string;
}

/** The facts by which what is to leave is looked at. */
export interface OutboundFacts {
  policies: EffectiveOutbound;
  recipients: readonly RecipientFacts[];
  /** The thread holds words of strangers. */
  outside_thread: boolean;
  elsewhere: readonly Elsewhere[];
  /** What the content scanner found; empty without one. */
  content: ContentScan;
  /** What not every reader of the mail would see. */
  hidden: readonly string[];
  now: Date;
}

/** The codes of what may be found, in the order in which it is looked for. */
export const FINDING_GROUPS = {
  untrusted_recipient: "untrusted",
  untrusted_thread: "untrusted",
  unproven_recipient: "untrusted",
  elsewhere_attachment: "untrusted",
  elsewhere_text: "untrusted",
  elsewhere_code: "untrusted",
  new_recipient: "new_recipients",
  secret: "content",
  personal_data: "content",
  unscanned: "content",
  hidden_content: "content",
} as const satisfies Record<string, PolicyGroup>;
export type FindingCode = keyof typeof FINDING_GROUPS;
export const FINDING_CODES = Object.keys(FINDING_GROUPS) as FindingCode[];

/** Something found, with what its group's policy does about it. */
export interface Finding {
  code: FindingCode;
  policy: Exclude<Policy, "off">;
  /** What it is about: an address, a file, a place. */
  detail: string;
  param: string | null;
  message_id?: string;
  inbox_id?: string;
}

/** Returns the findings against letting it leave, in order; none of a group whose policy is off. */
export function findingsIn(facts: OutboundFacts): Finding[] {
  return FINDING_CODES.flatMap((code) => {
    const policy = facts.policies[FINDING_GROUPS[code]];
    return policy === "off" ? [] : FIND[code](facts).map((found) => ({ code, policy, ...found }));
  });
}

type Found = Omit<Finding, "code" | "policy">;

const FIND: Record<FindingCode, (facts: OutboundFacts) => Found[]> = {
  untrusted_recipient: (facts) =>
    strangersIn(facts).flatMap(({ mention, ...named }) => {
      if (mention === undefined) return [];
      const { first_at: _at, ...mail } = mention;
      return [{ ...aboutRecipient(named), ...mail }];
    }),
  untrusted_thread: (facts) => (facts.outside_thread ? strangersIn(facts).map(aboutRecipient) : []),
  unproven_recipient: (facts) =>
    strangersIn(facts)
      .filter(({ unproven }) => unproven)
      .map(aboutRecipient),
  elsewhere_attachment: (facts) => elsewhereIn(facts, "file"),
  elsewhere_text: (facts) => elsewhereIn(facts, "text"),
  elsewhere_code: (facts) => elsewhereIn(facts, "code"),
  new_recipient: (facts) => strangersIn(facts).map(aboutRecipient),
  secret: (facts) => contentIn(facts, "secret"),
  personal_data: (facts) => contentIn(facts, "personal_data"),
  unscanned: ({ content }) => content.unscanned.map((part) => ({ detail: part, param: part })),
  hidden_content: ({ hidden }) => hidden.map((detail) => ({ detail, param: "html" })),
};

/** Each kind once a part: a finding names it and its place, never the value. */
const contentIn = ({ content }: OutboundFacts, code: ContentFinding["code"]): Found[] => {
  const found = content.findings.filter((finding) => finding.code === code);
  const places = new Map(found.map(({ kind, part }) => [`${kind} in ${part}`, part]));
  return [...places].map(([detail, param]) => ({ detail, param }));
};

const elsewhereIn = ({ elsewhere }: OutboundFacts, kind: Elsewhere["kind"]): Found[] =>
  elsewhere
    .filter((each) => each.kind === kind)
    .map(({ kind: _kind, name, ...mail }) => ({
      ...{ detail: name, ...mail },
      param: kind === "file" ? "attachments" : "text",
    }));

const aboutRecipient = ({ address, param }: Pick<RecipientFacts, "address" | "param">): Found => ({
  detail: address,
  param,
});

/** The recipients that are neither own people nor known. */
const strangersIn = ({ recipients, now }: OutboundFacts): RecipientFacts[] =>
  recipients.filter((recipient) => !recipient.own && !isKnown(recipient, now));

/**
 * Whether a recipient is known: it wrote the mail that this answers, or mail left to it seven days ago or earlier, and
 * before the outside words came that name it.
 */
export function isKnown(
  {
    answered,
    left_at,
    mention,
  }: Pick<RecipientFacts, "answered" | "left_at"> & { mention: Pick<Mention, "first_at"> | undefined },
  now: Date,
): boolean {
  if (answered) return true;
  if (left_at === null || Date.parse(left_at) > now.getTime() - LIMITS.recipient_known_ms) return false;
  return mention === undefined || left_at < mention.first_at;
}
