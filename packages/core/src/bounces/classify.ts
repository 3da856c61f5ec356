import type { ReportedRecipient } from "./report.ts";

/** What a server said when it refused or gave up a mail. */
export interface Refusal {
  /** The server's words, or the report's. */
  text: string;
  /** The enhanced status code (RFC 3463), or null. */
  status: string | null;
  /** Which command was refused: the address, or the body after the address had been accepted; null when nobody says. */
  stage: Stage;
}

/** The command that was refused. */
export type Stage = "rcpt" | "data" | null;

/** What a refusal means: whether anything will ever arrive at the address, and why not, in one word. */
export type Verdict = Pick<ReportedRecipient, "reason"> & { hard: boolean };

/** Characters of a refusal that are looked at. */
const MAX_CHARS = 4_000;

interface WordRule {
  reason: string;
  hard: boolean;
  words: RegExp;
}

/**
 * What the wording tells, whichever status code stands beside it: servers give 5.0.0 or 5.7.1 to nearly anything. The first that
 * fits decides; what is about the mail, the sender or the moment stands before what is about the address, since a refusal
 * that names an unknown *sender* or a policy must not suppress a good address.
 */
const wordRules: readonly WordRule[] = [
  // The mailbox is there and can't take more: it may be emptied.
  {
    reason: "mailbox_full",
    hard: false,
    words:
      /mailbox (?:is )?(?:full|for user is full|exceeds|size limit)|(?:inbox|mailbox|account) is (?:out of storage|over (?:its )?quota|full)|over ?quota|quota (?:is )?(?:exceeded|full)|exceed(?:ed|s|ing)?[^.\n]{0,40}(?:quota|allowed size|storage)|insufficient (?:disk|storage|system storage)|not enough (?:disk|storage) space|user is over the quota|mailfolder is full|too much mail data/i,
  },
  // The mail itself.
  {
    reason: "too_large",
    hard: false,
    words:
      /(?:message|mail|size)[^.\n]{0,40}(?:too (?:large|big)|exceeds[^.\n]{0,40}(?:size|limit|maximum))|max(?:imum)? message size|recipsizelimit|size limit exceeded/i,
  },
  { reason: "unknown_host", hard: true, words: /account or domain may not exist/i },
  // The sender is not who it says, or may not send: nothing is said about the recipient.
  {
    reason: "sender_refused",
    hard: false,
    words:
      /sender (?:address|domain|verify|is)[^\n]{0,80}(?:reject|not exist|fail|unknown|invalid|denied|refused)|domain of sender|sender rejected|invalid domain name|not a valid sender|valid sender domain|unknown sender|after mail from|in reply to (?:the )?mail from|>>> mail from[^\n]*\n\s*<<< [45]|purported responsible/i,
  },
  {
    reason: "authentication",
    hard: false,
    words:
      /\bdmarc\b|\bspf\b|\bdkim\b|unauthenticated (?:e-?mail|message|sender)|authentication information|sender policy framework|auth(?:entication)? ?required|smtp auth/i,
  },
  {
    reason: "host_refused",
    hard: false,
    words:
      /reverse dns|\bptr\b|rdns|ip (?:name )?lookup|(?:client )?host(?:name)? rejected|(?:my|your) (?:host)?name was rejected|mismatches client ip|black ?list|block ?list|blocked (?:using|by|for|because|due)|spamhaus|dnsbl|\brbl\b|sorbs|banned sending|ip address[^\n]{0,60}(?:blocked|rejected|bloqu)|bad reputation|low reputation|ip reputation|weren't sent|use the smtp server of your isp|connection refused by|client host|(?:smtp|mail) server[^\n]{0,40}(?:blocked|refused)/i,
  },
  {
    reason: "relaying",
    hard: false,
    words:
      /relay(?:ing)? (?:access )?(?:denied|not permitted|not allowed|prohibited)|not configured to relay|unable to relay|we do not relay/i,
  },
  {
    reason: "rate",
    hard: false,
    words:
      /too many (?:connections|recipients|messages|sessions|emails)|rate limit|frequency limited|throttl|unexpected volume|try again later|please try later|temporarily deferred/i,
  },
  {
    reason: "spam",
    hard: false,
    words:
      /\bspam\b|\bube\b|unsolicited|junk mail|bulk mail|looks like spam|identified as spam|content rejected|message filtered|virus|phish|malware/i,
  },
  // The server's own trouble.
  {
    reason: "server_trouble",
    hard: false,
    words:
      /couldn't create|procmail|mailer error|media error|malformed or unexpected name server|temporary (?:dns|lookup|failure)|service (?:is )?(?:currently )?(?:un|not )available|local (?:configuration )?error/i,
  },
  // The account is closed, for now or for good: owners come back, and the server knows the name.
  {
    reason: "suspended",
    hard: false,
    words:
      /(?:account|mailbox|user|recipient|address)[^.\n]{0,60}(?:is |has been |was )?(?:disabled|inactive|suspended|deactivated|discontinued|frozen|locked|not active|on hold)|disabled (?:recipient|account|mailbox)|(?:temporarily|currently) (?:disabled|locked)/i,
  },
  // A domain that says it takes no mail (RFC 7505).
  {
    reason: "takes_no_mail",
    hard: true,
    words:
      /null ?mx|does not accept mail|doesn't (?:receive|accept) (?:e-?)?mail|accepts no mail|mx (?:record )?points to (?:the root|"?\.)/i,
  },
  // The person moved (551).
  {
    reason: "moved",
    hard: true,
    words:
      /no longer on server|has moved|moved to (?:another|a new) address|address (?:has )?changed to|\b551\b[^\n]{0,40}not our/i,
  },
  // The domain is not there.
  {
    reason: "unknown_host",
    hard: true,
    words:
      /host unknown|unknown host|host or domain name not found|host not found|no such (?:domain|host)|domain (?:name )?(?:does not exist|not found|is unknown|couldn't be found)|nxdomain|invalid (?:domain|mx)\b|unrout(?:e)?able (?:mail )?(?:domain|address)|all relevant mx records point to non-existent|name or service not known|couldn't find any host|an mx or srv record indicated no smtp service|unknown domain|no relevant answers|dns lookup failure|host \S+ not found|(?:^|\s)(?:[\w-]+\.)+[a-z]{2,} does not exist|could ?n[o']t (?:be )?(?:find|resolve)[^\n]{0,40}(?:host|domain)|illegal host\/domain|domain couldn|bad destination (?:host|system)/i,
  },
  // Nobody of that name.
  {
    reason: "unknown_user",
    hard: true,
    words:
      /user (?:is )?(?:unknown|not (?:found|known|exist))|unknown (?:user|recipient|address|local[- ]?part|mailbox|account)|no such (?:user|recipient|mailbox|account|address|person|local)|(?:user|recipient|mailbox|account|address|local part|e-?mail account)[^\n]{0,80}(?:does ?n[o']t exist|not exist|not found|not recogni[sz]ed|is unknown|could ?n[o']t be found|isn't listed|not listed|n'existe)|(?:invalid|bad|wrong|undeliverable|illegal)[ -](?:recipient|user|address|mailbox|final delivery userid)|recipnotfound|no mailbox (?:here )?(?:by that name)?|not a valid (?:user|mailbox|recipient|address)|recipient (?:address )?rejected: (?:access denied|user unknown|undeliverable|address unknown)|destinataire invalide|addressee unknown|unknown addressee|there is no (?:such )?(?:user|mailbox|account)|not our (?:user|customer)|does ?n[o']t have an? [^\n]{0,80}account|no account by that name|address rejected(?!\s*:)|check (?:if|that|whether) (?:the )?address is correct|mailbox not found|ユーザー[^\n]{0,120}見つかりません|宛先[^\n]{0,20}(?:不明|見つかりません)/i,
  },
  // The way there failed, or nobody answered for days.
  {
    reason: "unreachable",
    hard: false,
    words:
      /timed ?out|timeout|no route to host|connection (?:refused|reset|dropped)|could ?n[o']t connect|unable to connect|wasn't able to establish|unable to contact|retry time|too long|message expired|\bexpired\b|delivery expired|not responding|did not accept our requests|no answer from|multiple retries|giving up|could not send message for past|not delivered within|delivery time expired|network (?:error|unreachable)/i,
  },
  {
    reason: "policy",
    hard: false,
    words:
      /polic(?:y|ies)|access denied|not allowed|not compliant|administrative|protocol violation|message (?:refused|rejected)|prohibited|permission/i,
  },
];

/** What the status code tells where the words tell nothing (RFC 3463 and the IANA registry of its codes). */
const statusRules: readonly { reason: string; hard: boolean; status: RegExp }[] = [
  { reason: "unknown_user", hard: true, status: /^[45]\.1\.(?:1|10|351)$/ },
  { reason: "unknown_host", hard: true, status: /^5\.1\.2$/ },
  { reason: "unknown_user", hard: true, status: /^5\.1\.3$/ },
  { reason: "moved", hard: true, status: /^5\.1\.6$/ },
  { reason: "sender_refused", hard: false, status: /^[45]\.1\.[78]$/ },
  { reason: "suspended", hard: false, status: /^[45]\.2\.1$/ },
  { reason: "mailbox_full", hard: false, status: /^[45]\.2\.2$/ },
  { reason: "too_large", hard: false, status: /^[45]\.(?:2\.3|3\.4)$/ },
  { reason: "unknown_host", hard: true, status: /^5\.4\.4$/ },
  { reason: "unreachable", hard: false, status: /^[45]\.4\./ },
  { reason: "takes_no_mail", hard: true, status: /^5\.7\.27$/ },
  { reason: "policy", hard: false, status: /^[45]\.7\./ },
];

/**
 * Reads a refusal. What isn't understood is soft: a good address that is suppressed costs more than one more try. "User unknown"
 * is hard as an answer to RCPT, or with a code about the address: said of the body, or nobody knows of what, it is how
 * filters hide themselves. A domain that can't be found *for now* (4.x.x) is soft too.
 */
export function classify({ text, status, stage }: Refusal): Verdict {
  const said = text.slice(0, MAX_CHARS);
  const rule = wordRules.find(({ words }) => words.test(said)) ?? statusRules.find((each) => each.status.test(status ?? ""));
  if (rule === undefined) return { reason: "unknown", hard: false };
  const { reason, hard } = rule;
  if (hard && (reason === "unknown_user" || reason === "moved") && isDoubtful(said, status, stage))
    return { reason: "filtered", hard: false };
  if (hard && reason === "unknown_host" && status?.startsWith("4.") === true) return { reason, hard: false };
  return { reason, hard };
}

function isDoubtful(said: string, status: string | null, stage: Stage): boolean {
  if (/^\d\.1\./.test(status ?? "")) return false;
  if (stage !== null) return stage === "data";
  // 5.7.x is a policy's code, whatever the words.
  return status?.startsWith("5.7.") === true
    ? /\b550\b/.test(said)
    : /\b55\d\b/.test(said) && /^(?:$|\d\.0\.0$)/.test(status ?? "");
}

/** The enhanced status code in a text, the most telling one: `x.0.0` only where there is no other. */
export function statusIn(text: string): string | null {
  const codes = [...text.slice(0, MAX_CHARS).matchAll(/(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/g)].map(
    ([, code]) => code as string,
  );
  return codes.find((code) => !/^\d\.0\.0$/.test(code)) ?? codes[0] ?? null;
}

const afterData =
  /in reply to (?:the )?(?:end of )?data|after end of data|end of message data|>>> (?:data|\.)\s*\n\s*<<< [45]|smtp command\s*-*\s*\n\s*data/i;
const afterRcpt = /in reply to (?:the )?rcpt|after rcpt|does not like recipient|rcpt[ _]to|address not found/i;

/** Which command the words say was refused. */
export function stageIn(text: string): Stage {
  const said = text.slice(0, MAX_CHARS);
  if (afterData.test(said)) return "data";
  return afterRcpt.test(said) ? "rcpt" : null;
}
