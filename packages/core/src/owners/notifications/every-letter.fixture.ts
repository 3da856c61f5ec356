import type { LetterKind } from "../../catalogue/letter-frames.ts";
import type { Tone } from "../../catalogue/look.ts";
import type { ApprovalSubject } from "../../model/approvals.ts";
import type { DraftRecord } from "../../model/drafts.ts";
import type { ForwardingFailure } from "../../model/forwardings.ts";
import type { Letter } from "../../model/letters.ts";
import type { Question } from "../../model/questions.ts";
import type { Update } from "../../model/updates.ts";
import { type Asked, approvalLetters, askedAgain, changeAsked, draftAsked } from "./approval.ts";
import { approvalsWaitingLetter } from "./approvals-waiting.ts";
import { canaryLetter } from "./canary.ts";
import { confirmationLetters } from "./confirmation.ts";
import { digestLetters, whichQuestionLetters } from "./digest.ts";
import { domainDegradedLetter, domainReceivesLetter, postmasterLetter } from "./domain.ts";
import { forwardingEndedLetter, forwardingLetter } from "./forwarding.ts";
import { subjectOf, TONES } from "./headline.ts";
import { pairedLetter } from "./paired.ts";
import { passkeysLetter } from "./passkeys.ts";
import { preferencesChangedLetters } from "./preferences-changed.ts";
import { askedAgainLetters } from "./question.ts";
import { keyRecoveredLetter, keysLeftLetter, recoveryLetter } from "./recovery.ts";
import { OPENS, signInLetter } from "./sign-in.ts";
import { updateLetters } from "./update.ts";
import { updatesEndedLetters } from "./updates-ended.ts";

/** A letter as its reader gets it, and what its head must say. */
export interface Example {
  kind: LetterKind;
  tone: Tone;
  /** Whose name is at the top: the agent's, or the service's host. */
  from: "agent" | "service";
  letter: Letter;
  /** Words that aren't the service's, and stand in boxes. */
  quotes?: readonly string[];
}

const HOST = "mail.example";
const LINK = `https://${HOST}/api/v1/owners`;
const agent = { inbox_email: `ada@${HOST}`, display_name: "Ada" };
const pages = { unsubscribe_url: `${LINK}/unsubscribe?token=abc`, style_url: `${LINK}/style?token=abc` };
const answer_url = `${LINK}/answer?token=abc`;
const SOON = "2026-11-27T18:32:00.000Z";

const question = (type: Question["type"], more: Partial<Question> = {}): Question => ({
  ...{ type, options: null, default: null, expires_at: null },
  ...more,
});

const QUESTIONS: Record<Question["type"], Question> = {
  yes_no: question("yes_no", { default: false, expires_at: SOON }),
  choice: question("choice", { options: ["The garden", "The town hall", "A place by the river"] }),
  number: question("number"),
  date: question("date"),
  text: question("text"),
};

const TITLES: Record<Update["kind"], string> = {
  progress: "Half of the boxes are packed",
  needs_input: "Where shall the party be?",
  done: "The movers are booked",
  error: "The piano does not fit",
};

const update = (kind: Update["kind"], more: Partial<Parameters<typeof updateLetters>[0]["update"]> = {}) => ({
  ...{ kind, title: TITLES[kind], status: "Waiting for the movers", question: null },
  text: "Three firms answered; the cheapest can come on the 12th.\nThe others are free a week later.",
  links: [{ label: "The offers", url: "https://offers.example.org/move/list?of=three" }],
  ...more,
});

const updateExample = (
  told: ReturnType<typeof update>,
  style: Parameters<typeof updateLetters>[0]["style"],
): Example => ({
  ...{ kind: "update", tone: TONES[told.kind], from: "agent" },
  letter: updateLetters({
    ...{ subject: subjectOf(told, false), update: told, style },
    ...{ ...agent, ...pages, answer_url: told.question === null ? null : answer_url },
  }).sealed,
});

const item = (kind: Update["kind"], title: string, more: object = {}) => ({
  ...{ ...update(kind), title, task_id: null, answer_url: null, number: null },
  ...more,
});
const digest = (style: Parameters<typeof digestLetters>[0]["style"], updates: ReturnType<typeof item>[]) =>
  digestLetters({ updates, style, ...agent, ...pages }).sealed;
const asked = (number: number | null, type: Question["type"]) =>
  item("needs_input", type === "yes_no" ? "Shall the piano be sold?" : TITLES.needs_input, {
    ...{ question: QUESTIONS[type], answer_url, number },
  });

const BODY = "Dear all,\n\nmay we have the hall on the 12th of December?\n\nAda, for Grace";
const draft = (more: Partial<DraftRecord> = {}): DraftRecord =>
  ({
    ...{ kind: "new", to: ["hall@example.org"], cc: [], bcc: [], names: { "hall@example.org": "The hall" } },
    ...{ reply_to: null, subject: "The hall", text: BODY, headers: {}, attachments: [], send_at: SOON },
    ...more,
  }) as DraftRecord;

const approval = (request: Asked, quotes: readonly string[] = []): Example => ({
  ...{ kind: "approval", tone: "approval", from: "agent", quotes },
  letter: approvalLetters(request, {
    ...{ ...agent, expires_at: SOON, url: `${LINK}/approve?token=abc`, style_url: pages.style_url },
    reasons: { shown: [], sealed: ["Nobody here has written to hall@example.org before."] },
  }).sealed,
});

const CHANGES: Record<Exclude<ApprovalSubject, "draft">, Record<string, string>> = {
  inbox_delete: {},
  send_mode_change: {},
  outbound_change: { send_mode: "direct" },
  owner_add: { email: "heidi@example.org" },
  owner_delete: { email: "heidi@example.org" },
  authority_grant: { email: "heidi@example.org", over: "the whole account" },
  account_delete: { inboxes: `ada@${HOST}, bo@${HOST} and 3 more` },
  message_release: { from: "hall@example.org", reason: "It answers the request of Monday." },
  webhook_change: { url: "https://hooks.example.org/mail", inboxes: "", headers: "X-Team" },
  forwarding_add: { email: "grace@example.com", everything: "true", asked_by: "your agent" },
};

const service = (kind: LetterKind, tone: Tone, letter: Letter, quotes: readonly string[] = []): Example => ({
  ...{ kind, tone, from: "service", letter, quotes },
});
const agents = (
  kind: LetterKind,
  tone: Tone,
  { sealed: letter }: { sealed: Letter },
  quotes: readonly string[] = [],
): Example => ({ ...{ kind, tone, from: "agent", letter, quotes } });

const key = { name: "Recovered key", prefix: "ls_live_8f2k", created_at: "2026-11-20T09:05:00.000Z" };
const asked_from = { browser: "Firefox on Linux", network: "203.0.113.0/24" };

const named = <K extends string>(
  prefix: string,
  keys: readonly K[],
  example: (key: K) => Example,
): Record<string, Example> => Object.fromEntries(keys.map((each) => [`${prefix}-${each}`, example(each)]));
const keysOf = <K extends string>(record: Readonly<Record<K, unknown>>) => Object.keys(record) as K[];

/** Every letter that the service writes, by a name of its own. */
export const EVERY_LETTER: Readonly<Record<string, Example>> = {
  ...named("update-concise", keysOf(TITLES), (kind) => updateExample(update(kind), "concise")),
  ...named("update-detailed", keysOf(TITLES), (kind) => updateExample(update(kind), "detailed")),
  ...named("update-casual", keysOf(TITLES), (kind) => updateExample(update(kind), "casual")),
  ...named("question", keysOf(QUESTIONS), (type) =>
    updateExample(update("needs_input", { question: QUESTIONS[type] }), "concise"),
  ),
  "question-again": agents(
    "question_again",
    "question",
    askedAgainLetters({
      ...{ question: QUESTIONS.yes_no, title: TITLES.needs_input, text: "The garden, or the hall?" },
      ...{ ...agent, answer_url, style_url: pages.style_url },
    }),
    ["The garden, or the hall?"],
  ),
  "which-question": agents(
    "which_question",
    "question",
    whichQuestionLetters({ updates: [asked(1, "yes_no"), asked(2, "choice")], ...agent, ...pages }),
  ),
  ...named("digest-of-one", keysOf(TITLES), (kind) => ({
    ...{ kind: "digest", tone: TONES[kind], from: "agent" },
    letter: digest("detailed", [item(kind, TITLES[kind])]),
  })),
  ...named("digest", ["concise", "detailed", "casual"] as const, (style) => ({
    ...{ kind: "digest", tone: "question", from: "agent" },
    letter: digest(style, [
      ...[asked(1, "yes_no"), asked(2, "choice"), item("error", TITLES.error), item("done", TITLES.done)],
      item("progress", TITLES.progress, { task_id: "boxes" }),
      item("progress", "All boxes are packed", { task_id: "boxes" }),
    ]),
  })),
  "approval-email": approval(draftAsked(draft()), [BODY]),
  "approval-sms": approval(draftAsked(draft({ kind: "sms", to: ["+14155550199"], text: "At seven?" })), [
    "At seven?",
  ]),
  "approval-call": approval(
    draftAsked(draft({ kind: "call", to: ["+14155550199"], text: "At seven?", call_mode: "say" })),
    ["At seven?"],
  ),
  ...named("approval", keysOf(CHANGES), (subject) =>
    approval(
      changeAsked(subject, agent.inbox_email, CHANGES[subject]),
      CHANGES[subject]["reason"] === undefined ? [] : [CHANGES[subject]["reason"]],
    ),
  ),
  "approval-again": approval(askedAgain({ summary: "The hall" }, draftAsked(draft()), false), [BODY]),
  "approval-again-uncounted": approval(askedAgain({ summary: "The hall" }, null, true), ["The hall"]),
  flood: service(
    "approvals_waiting",
    "approval",
    approvalsWaitingLetter({
      ...{ host: HOST, more: 2 },
      requests: [
        {
          ...{ summary: "Email to hall@example.org: The hall", inbox_email: agent.inbox_email },
          ...{ expires_at: SOON, url: `${LINK}/approve?token=abc` },
        },
      ],
    }),
    ["Email to hall@example.org: The hall"],
  ),
  confirmation: agents(
    "confirmation",
    "question",
    confirmationLetters({ ...agent, code: "493817", link: `${LINK}/confirm?token=abc` }),
  ),
  "preferences-changed": agents(
    "preferences_changed",
    "account",
    preferencesChangedLetters({
      ...agent,
      changes: ["Updates: once a day, in one email"],
      style_url: pages.style_url,
    }),
  ),
  "updates-ended": agents("updates_ended", "account", updatesEndedLetters({ ...agent, ...pages })),
  canary: service(
    "canary",
    "problem",
    canaryLetter({ name: "The safe's code", inbox_email: agent.inbox_email, pauses: true, host: HOST }),
  ),
  "domain-degraded": service(
    "domain_degraded",
    "problem",
    domainDegradedLetter({
      ...{ domain: "grace.example", host: HOST },
      records: [{ type: "MX", name: "grace.example", hint: "It leads elsewhere." }],
    }),
  ),
  ...named("domain-receives", ["yours", "others"] as const, (whose) =>
    service(
      "domain_receives",
      "account",
      domainReceivesLetter({ domain: "grace.example", from: SOON, host: HOST, is_there: whose === "yours" }),
    ),
  ),
  postmaster: service(
    "postmaster",
    "account",
    postmasterLetter({
      ...{ to: "abuse@grace.example", from: "ivan@example.net", subject: "Too much mail", host: HOST },
      text: "Please stop writing to us.",
    }),
    ["Please stop writing to us."],
  ),
  forwarding: service(
    "forwarding",
    "question",
    forwardingLetter({
      ...{ ...agent, email: "grace@example.com", everything: true, code: "493817", host: HOST },
      link: `https://${HOST}/api/v1/forwarding/confirm?token=abc`,
    }),
  ),
  ...named(
    "forwarding-ended",
    ["expired", "rejected", "bounced", "authority_ended", "address_inside"] satisfies ForwardingFailure[],
    (reason) =>
      service(
        "forwarding_ended",
        "problem",
        forwardingEndedLetter({
          ...{ email: "grace@example.com", inbox_email: agent.inbox_email, reason, host: HOST },
        }),
      ),
  ),
  ...named("sign-in", OPENS, (opens) =>
    service(
      "sign_in",
      "account",
      signInLetter({ code: "493817", link: `${LINK}/sign-in?token=abc`, host: HOST, opens, asked_from }),
    ),
  ),
  recovery: service(
    "recovery",
    "account",
    recoveryLetter({ link: `https://${HOST}/api/v1/recover/confirm?token=abc`, host: HOST, asked_from }),
  ),
  "key-recovered": service(
    "key_recovered",
    "account",
    keyRecoveredLetter({
      ...{ email: "grace@example.com", over: `the account of ada@${HOST}`, key, host: HOST },
      ...{ keys_revoked: 2, apps_revoked: 1 },
    }),
  ),
  "keys-left": service(
    "keys_left",
    "problem",
    keysLeftLetter({
      ...{ email: "heidi@example.org", account: `ada@${HOST}, bo@${HOST} and 3 more` },
      ...{ keys: [key], more: 1, host: HOST },
    }),
  ),
  ...named("passkey", ["added", "removed", "removed_by_operator", "ended"] as const, (what) =>
    service(
      "passkeys",
      "account",
      passkeysLetter({
        ...{ what, name: what === "ended" ? "heidi@example.org" : "My phone", host: HOST },
        page: `${LINK}/your-passkeys`,
      }),
    ),
  ),
  paired: service(
    "paired",
    "account",
    pairedLetter({
      ...{ by: "grace@example.com", inbox_email: agent.inbox_email, inbox_created: true },
      ...{ network: "203.0.113.0/24", page: `${LINK}/pair`, host: HOST },
    }),
  ),
};
