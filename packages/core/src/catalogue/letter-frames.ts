/** Every kind of letter that the service itself writes. */
export const LETTER_KINDS = [
  "approval",
  "canary",
  "approvals_waiting",
  "confirmation",
  "digest",
  "domain_degraded",
  "domain_receives",
  "forwarding",
  "forwarding_ended",
  "key_recovered",
  "keys_left",
  "passkeys",
  "paired",
  "postmaster",
  "preferences_changed",
  "question_again",
  "recovery",
  "sign_in",
  "update",
  "updates_ended",
  "which_question",
] as const;
export type LetterKind = (typeof LETTER_KINDS)[number];

/**
 * The fixed sentences of letters, around their codes, links and buttons. Letters are written with them, and a letter
 * that comes back in a mail is recognised by them, so neither can drift from the other.
 */
export const SENTENCES = {
  approval: {
    intro: "needs your approval.",
    button: "Review and decide",
    expires: "This request expires on",
    from: "Sent on behalf of",
  },
  canary: {
    what: "The mail was stopped. A canary is a word that nobody should ever be sent: somebody may have talked the agent into passing on what it reads, or it went astray.",
    why: "You get this email because you have charge of an inbox in which a canary is planted.",
  },
  approvals_waiting: {
    what: "Your agents asked so often that these requests come to you in one email. Nothing is done until you decide.",
    why: "You get this email because you are in charge of these agents, or an owner of them.",
  },
  confirmation: {
    what: "wants to work for you. Once you confirm, it can send you updates, and the emails you send it become its tasks.",
    code: "The link is valid for 24 hours. Or give the agent this code, which is valid for 30 minutes:",
    ignore: "Don't know this agent? Ignore this email. Nothing happens unless you confirm.",
  },
  digest: {
    how: "Reply to this email to give the agent a task.",
    from: "Sent once a day by",
  },
  domain_degraded: {
    gone: "have been gone for a day. Without them, mail from the domain may end up in spam, and after 30 days without the proof of ownership the domain is released.",
    back: "Once they are back, the domain recovers by itself within a day.",
  },
  domain_receives: {
    proven: "is theirs, by a record in its DNS. Once its MX record leads to",
    here: "too, mail for its addresses is delivered to inboxes of agents there: from",
    outside: "they can't own inboxes, approve or sign in with it, until mail for",
    yours: "you can't own inboxes, approve or sign in with it, until mail for",
  },
  forwarding: {
    what: "Once you enter the code on the page, a person in charge of the inbox is asked. Only if they agree is any mail forwarded to you.",
    code: "Open the page, and enter this code there. Both work for 72 hours, and only until a newer email like this one comes:",
    secret: "Never pass the code or the link on; the agent doesn't need them.",
    ignore: "Don't know this agent, or don't want its mail? Ignore this email: nothing is forwarded.",
  },
  forwarding_ended: {
    what: "No more mail of the inbox is forwarded there. Rules that did so are disabled. To begin again, the agent asks again, and you decide.",
    why: "You get this email because you have charge of the inbox.",
  },
  key_recovered: {
    wrong: "Was this not right? Sign in, revoke the key, and end the authority of whoever recovered it.",
    why: "You get this email because you are in charge there, or an owner of the inbox.",
  },
  keys_left: {
    revoke:
      "Revoke those that nobody needs: in your session that also revokes the keys that were created with them.",
    why: "You get this email because you are in charge of the account or the inbox.",
  },
  passkeys: {
    what: "Was this not you? Somebody may be signed in as you. Sign in, remove what isn't yours, and end your other sessions:",
    why: "You get this email because passkeys sign you in and sign what you decide.",
  },
  paired: {
    wrong:
      "Was this not right? Undo it on the page: the agent's key stops working at once, and an inbox that was created for it is closed.",
    why: "You get this email because you have charge of what the agent was let into.",
  },
  postmaster: {
    why: "You get this email because you are in charge of the account that the domain belongs to. We did not write what it says, and attachments are left out. To answer, write to its author.",
  },
  preferences_changed: {
    what: "Somebody changed them by a link in one of this agent's emails to you:",
    you: "Was it you? Then there is nothing to do.",
  },
  question_again: {
    again: "Thank you for your answer. We couldn't tell what you meant, so here is the question again.",
  },
  recovery: {
    what: "Somebody asked for a new API key in your name. Open this link to create it:",
    next: "You will be asked to sign in with a code that we email to you.",
    secret: "Never pass this link on; your agent doesn't need it.",
    valid: "The link is valid for 30 minutes, and only until you ask for another one.",
    ignore: "Didn't ask for this? Ignore this email: without you nobody gets a key.",
  },
  sign_in: {
    code: "Enter this code where you asked for it, on",
    link: "Or open this link, in the browser in which you asked for it:",
    secret: "Never pass this code on; your agent doesn't need it.",
    valid: "The code and the link are valid for 15 minutes.",
    ignore: "Didn't ask for this? Ignore this email: without it nobody can sign in.",
  },
  update: {
    preferences: "Email preferences",
    stop: "Stop these updates",
    from: "Sent by",
  },
  updates_ended: {
    what: "You are still this agent's owner: you can email it tasks, and it still asks for your approval when it needs it.",
  },
  which_question: {
    which:
      "Thank you for your reply: your agent has it. If it answers one of these questions, please reply once more, with the question's number before your answer, one answer per email.",
  },
} as const satisfies Record<LetterKind, Record<string, string>>;

/** Sentences of one kind of letter, and how many of them show that a mail contains such a letter. */
export interface Frame {
  kind: LetterKind;
  sentences: readonly string[];
  needed: number;
}

/**
 * The number of a kind's sentences that a mail must contain; by default all of them. Long sentences occur in no other
 * mail, so two are enough where a program may have cut the letter.
 */
const NEEDED: Partial<Record<LetterKind, number>> = {
  canary: 1,
  approvals_waiting: 1,
  confirmation: 2,
  domain_degraded: 1,
  domain_receives: 2,
  forwarding: 2,
  forwarding_ended: 1,
  key_recovered: 1,
  keys_left: 1,
  paired: 1,
  preferences_changed: 1,
  recovery: 2,
  sign_in: 2,
};

/**
 * The frames of letters, including those of earlier releases: when you change a sentence, add a frame with the old one
 * to `EARLIER`, for letters that are in transit during the upgrade and for 90 days after it.
 */
const EARLIER: readonly Frame[] = [];

export const FRAMES: readonly Frame[] = [
  ...LETTER_KINDS.map((kind) => {
    const sentences = Object.values(SENTENCES[kind]);
    return { kind, sentences, needed: NEEDED[kind] ?? sentences.length };
  }),
  ...EARLIER,
];
