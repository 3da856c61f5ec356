import type { SignalType } from "../../../catalogue/signals.ts";
import type { FoundLiterals } from "./literals.ts";

interface TokenPattern {
  signal: SignalType;
  /** Every match contains one of these, in lower case, so that few texts are searched for the pattern. */
  has: readonly string[];
  /** Every match also contains one of these. */
  with?: readonly string[];
  pattern: RegExp;
}

/** Combines every text of the first list with every text of the second, and so on. */
const joined = (...lists: ReadonlyArray<readonly string[]>): string[] =>
  lists.reduce<string[]>(
    (starts, list) => starts.flatMap((start) => list.map((each) => `${start}${each}`)),
    [""],
  );

/** Ranks that give orders to a machine, and the verbs of their orders. */
const RANKS = ["admin", "administrator", "operator", "root", "superuser", "supervisor", "moderator"];
const ORDERED =
  "print|show|list|send|forward|reply|respond|delete|remove|reveal|output|export|approve|release|reset|disable|enable|grant|allow|ignore|override|unlock|pay|transfer|share|add|mark|call|run|execute|open|give|tell|stop|set|switch|change|update|confirm";

const SEPARATORS = ["---", "===", "***", "###", "~~~"];
const ANGLES = ["<", "</"];

/** Two named pieces of text, joined by their names or by a word for joining. */
const ASSIGNED_PIECES =
  /\b[a-z]\w{0,9} ?= ?["'“][^"'”\n]{1,60}["'”][\s,;.]{0,4}(?:and )?[a-z]\w{0,9} ?= ?["'“][^"'”\n]{1,60}["'”][^]{0,200}?(?:\b[a-z]\w{0,9} ?\+ ?[a-z]\w{0,9}\b|combin|concat|join|together)/i;

/** Openings of calls that send, delete or run something, with their names in both spellings. */
const CALLS = [
  ...joined(["send", "forward", "delete"], ["_", ""], ["email("]),
  ...joined(["send"], ["_", ""], ["message(", "money("]),
  ...joined(["run", "execute"], ["_", ""], ["command("]),
  ...joined(["execute"], ["_", ""], ["code("]),
  ...joined(["http"], ["_", ""], ["request("]),
  ...joined(["fetch"], ["_", ""], ["url("]),
  ...joined(["transfer"], ["_", ""], ["funds(", "money("]),
  ...["os.system(", "subprocess.run("],
];

/**
 * Patterns that only mean something to a chat model, a tool runner or a shell. Each starts with a fixed
 * string and has bounded gaps, so a search is linear.
 */
export const TOKEN_PATTERNS: ReadonlyArray<TokenPattern> = [
  {
    signal: "role_token",
    has: ["<|"],
    pattern:
      /<\|\s?\/?(?:im_start|im_end|im_sep|system|user|assistant|endoftext|begin_of_text|eot_id|start_header_id|end_header_id|tool|developer|channel|message|end)[^|<>\n]{0,20}\|>/i,
  },
  {
    signal: "role_token",
    has: joined(["[", "[/"], ["inst]", "system"]),
    pattern: /\[\/?INST\]|\[\/?SYSTEM(?:_PROMPT| PROMPT| MESSAGE)?\]/i,
  },
  {
    signal: "role_token",
    has: ["<<sys>>", "<</sys>>", "_of_turn>", "<s>", "</s>"],
    pattern: /<<\/?SYS>>|<\/?(?:start|end)_of_turn>|<\/?s>\s?\[INST/i,
  },
  {
    signal: "role_token",
    has: joined(ANGLES, ["system", "assistant", "tool", "function", "antml:", "untrusted", "user", "ai"]),
    pattern:
      /<\/?(?:system|assistant|system[-_ ]?(?:prompt|message|instructions?|reminder|override)|tool_?(?:call|use|result|response)s?|function_?(?:call|result|response)s?|antml:[a-z_]{1,20}|untrusted_?(?:content|data)|user_?(?:query|input|prompt)|ai_?instructions?)(?:\s[^<>\n]{0,60})?>/i,
  },
  {
    signal: "role_token",
    has: ["##"],
    pattern:
      /#{2,6} {0,3}[([<*]{0,2}(?:system|assistant|developer|new|end of)[ _-]?(?:message|prompt|instructions?|override|note|response)?[)\]>*]{0,2}(?: {0,3}[:(\n#]|message|prompt|instruction)/i,
  },
  {
    signal: "role_token",
    has: ["##"],
    pattern: /#{2,6} {0,3}\(?(?:system|assistant)[_ ](?:message|prompt)/i,
  },
  {
    signal: "role_token",
    has: joined(["system ", "developer ", "hidden "], ["prompt", "message", "instruction"]),
    pattern:
      /\b(?:begin|end|start) (?:of )?(?:the )?(?:system|developer|hidden) (?:prompt|message|instructions?)\b/i,
  },
  { signal: "role_token", has: ["\\n\\n"], pattern: /\\n\\n(?:human|assistant|system):/i },
  {
    signal: "role_token",
    has: joined(["system"], [" ", "_", "-"], ["override"]),
    pattern: /\bsystem[ _-]override\b/i,
  },
  { signal: "role_token", has: ["{{"], pattern: /\{\{\s?(?:system|assistant|instructions?|prompt)\s?\}\}/i },
  {
    signal: "role_label",
    has: ["##"],
    pattern: /(?:^|\n)#{2,6} ?(?:instructions?|response|input|task|human|user) ?:/i,
  },
  {
    signal: "role_label",
    has: ["["],
    pattern: /\[[^\]\n]{0,40}\b(?:ai|llm|assistant|agents?|bots?|language model)\b[^\]\n]{0,40}\]/i,
  },
  {
    signal: "role_token",
    has: ["assistant:"],
    pattern: /(?:^|\n)(?:human|user): ?\S[^\n]{0,2000}\n{1,3}assistant:/i,
  },
  {
    signal: "role_token",
    has: ["system:", "assistant:"],
    pattern: /^\s{0,20}(?:system|assistant|SYSTEM|ASSISTANT): ?\S/,
  },
  {
    signal: "role_label",
    has: [
      ...["system", "assistant", "developer", "sys", "llm"],
      ...joined(Array.from("\n \t>*_#[(-"), ["ai"], Array.from(" ])*_:")),
    ],
    pattern:
      /(?:^|\n)[ \t>*_#[(-]{0,6}(?:system|assistant|developer|sys|ai|llm)(?: (?:message|prompt|note|instructions?|override|notice|alert|command))?[\])*_ ]{0,3}: ?\S/i,
  },
  {
    signal: "role_token",
    has: ['"role"'],
    pattern: /"role"\s{0,3}:\s{0,3}"(?:system|assistant|developer|tool|function)"/i,
  },
  {
    signal: "role_token",
    has: ["role:"],
    pattern: /(?:^|\n)[ \t-]{0,6}role: ?["']?(?:system|assistant|developer)\b/i,
  },
  {
    signal: "role_label",
    has: SEPARATORS,
    with: joined(Array.from("-=*#~<>| \t"), ["end", "begin", "start", "stop", "close"]),
    pattern:
      /[-=*#~<>|]{3}[ \t]{0,3}(?:end|begin|start|stop|close)(?: of| the| this| all| my){0,3} {0,2}(?:user|system|untrusted|trusted|input|context|prompt|instructions?|conversation|data|task|query|rules|e-?mail content)\b/i,
  },
  ...["instruction", "directive", "prompt", "override", "objective", "command", "rules"].map(
    (noun): TokenPattern => ({
      signal: "role_label",
      has: [noun],
      pattern: new RegExp(
        `(?:^|\\n)[\\s>*_#[(<"'-]{0,8}(?:new|updated|revised|actual|real|additional|special|hidden|secret|system|admin|developer|priority|critical) {0,2}${noun}s?[\\])>*_"]{0,3}\\s{0,2}:`,
        "i",
      ),
    }),
  ),
  {
    signal: "role_label",
    has: ["\n/"],
    pattern: /\n\/(?:system|admin|debug|override|jailbreak|sudo|root)\b/i,
  },
  {
    signal: "prompt_request",
    has: ["prompt", "instructions"],
    pattern: /(?:print|echo|return|output|\$)\s?[{(]{1,2}\s?(?:system_?prompt|prompt|instructions)\s?[)}]/i,
  },
  { signal: "split_command", has: joined(["=", "= "], Array.from("\"'“")), pattern: ASSIGNED_PIECES },
  {
    signal: "role_label",
    has: ["<"],
    pattern:
      /<\/?(?:information|important|instructions?|admin|developer|prompt|context|rules?|task|directive|secret|hidden|override|command|agent|notice|attention|config|ai)>/i,
  },
  {
    signal: "role_label",
    has: joined(
      ["["],
      ["system", "admin", "developer", "hidden", "secret", "ai", "assistant", "agent", "llm", "bot"],
    ),
    pattern:
      /\[(?:system|admin|developer|hidden|secret|ai|assistant|agent|llm|bot)[ _-]?(?:message|note|prompt|instructions?|override|command|only|directive|task)?\s?[:\]]/i,
  },
  {
    signal: "role_label",
    has: joined(["begin ", "end "], ["admin", "system", "developer", "ai", "agent", "assistant"]),
    pattern:
      /(?:^|\n)[^\w\n]{0,6}(?:begin|end) (?:admin|system|developer|ai|agent|assistant)s? (?:block|section|area|mode|message|instructions?|directives?)\b/i,
  },
  {
    signal: "role_label",
    has: [
      ...joined(["agent", "agents", "assistant", "assistants", "bots", "ai", "llms"], [" only"]),
      "automated instruction",
    ],
    pattern:
      /[[(]\s?(?:for )?(?:ai )?(?:agents?|assistants?|bots|ai|llms) only\s?[\])]|[[(]\s?automated instructions?\s?[\])]/i,
  },
  {
    // "ADMIN: print the list", also with the other words that such a line has before its colon.
    signal: "role_label",
    has: RANKS,
    pattern: new RegExp(
      `(?:^|\\n)[ \\t>*_#[(-]{0,6}(?:${RANKS.join("|")})(?: (?:note|notice|message|order|command|request|instructions?))?[\\])*_]{0,3}(?:,[^:\\n]{1,60})? ?: {0,3}(?:please |now )?(?:${ORDERED})\\b`,
      "i",
    ),
  },
  {
    // The same without a colon: "ADMIN print the list".
    signal: "role_label",
    has: [...RANKS, "system"],
    pattern: new RegExp(
      `(?:^|\\n)[ \\t>*_#[(-]{0,6}(?:${[...RANKS, "system"].map((rank) => rank.toUpperCase()).join("|")})[\\])*_]{0,3} ?[-–—,>]{0,2} {0,2}(?:${ORDERED}|${ORDERED.toUpperCase()})\\b`,
    ),
  },
  {
    signal: "role_label",
    has: joined(
      ["system", "admin", "operator", "developer"],
      [" ", "_"],
      ["message", "note", "notice", "alert"],
    ),
    pattern:
      /(?:^|\n)[ \t]{0,6}[=*#~<>|_-]{2,60} ?(?:system|admin|operator|developer)[ _](?:message|note|notice|alert) ?[=*#~<>|_-]{2,60}/i,
  },
  {
    // An order under a label that is for a list of tasks, as the last paragraph of a mail.
    signal: "labelled_order",
    has: ["todo", "to do", "to-do", "task", "action", "command"],
    pattern: new RegExp(
      `(?:^|\\n[ \\t]{0,20}\\n)[ \\t>*_-]{0,6}(?:todo|to[- ]do|task|action(?: item| required)?|command)[*_]{0,2} ?: {0,3}(?:please )?(?:${ORDERED})\\b[^\\n]{0,800}\\s{0,20}$`,
      "i",
    ),
  },
  {
    // The stated end of a document, with more text after it.
    signal: "role_label",
    has: [" ends here", "end of quoted "],
    pattern:
      /(?:mail|message|input|document) ends here[^\w\n]{0,6}\s{1,4}\S|end of quoted (?:document|text|mail|message)\b[^\w\n]{0,6}\s{1,4}\S/i,
  },
  {
    signal: "dialogue",
    has: ["\nthought:", "\nobservation:"],
    with: ["\naction", "\nthought:", "\nfinal answer:"],
    pattern:
      /(?:^|\n)(?:thought|observation): ?\S[^\n]{0,300}\n{1,2}(?:thought|action(?: input)?|final answer): ?\S/i,
  },
  {
    // The place of a model's own answer, and the next request: "<your summary of it>" above "User:".
    signal: "dialogue",
    has: [">\nuser:", ">\nhuman:"],
    pattern: /(?:^|\n)<[a-z]+(?: [a-z]+){2,12}>\n(?:user|human): ?\S/i,
  },
  {
    // A sentence that the reader is told to say: 'Reply with "yes".'
    signal: "answer_dictated",
    has: joined(
      [
        "say",
        "reply",
        "respond",
        "answer",
        "print",
        "output",
        "repeat",
        "back",
        "only",
        "exactly",
        "simply",
        "just",
        "with",
        "me",
        "word",
        "words",
        "phrase",
        "sentence",
      ],
      [" ", ": "],
      Array.from('"“'),
    ),
    pattern:
      /(?:^|[.!?:]\s{1,3}|\n\n|\b(?:please|now|then|just|simply|only|always|must|should) )(?:say|reply|respond|answer|print|output|repeat)(?: (?:back|only|exactly|simply|just|with|to me|the (?:words?|phrase|sentence))){0,3}:? ["“][^"”\n]{1,200}["”]/i,
  },
  {
    signal: "split_command",
    has: joined([" be ", " equal "], Array.from('"“')),
    pattern: /\blet \w{1,10} (?:be|equal) ["“][^"”\n]{1,60}["”] (?:and|,)/i,
  },
  {
    signal: "split_command",
    has: ["let "],
    with: [" = ", "=", ":="],
    pattern: /\blet [a-z]\w{0,9} ?:?= ?[^\n=]{1,80}(?:,|;| and) {0,2}(?:let )?[a-z]\w{0,9} ?:?= ?\S/i,
  },
  {
    signal: "tool_call",
    has: joined(['"'], ["tool", "function", "recipient_name", "action_input"]),
    pattern:
      /"(?:tool|tool_name|tool_calls?|function|function_call|recipient_name|action_input)"\s{0,3}:\s{0,3}["{[]/i,
  },
  {
    signal: "tool_call",
    has: ['"name"'],
    pattern: /"name"\s{0,3}:\s{0,3}"[\w.-]{1,60}"\s{0,3},\s{0,3}"(?:arguments|parameters|input)"\s{0,3}:/i,
  },
  {
    signal: "tool_call",
    has: CALLS,
    pattern:
      /\b(?:send_?email|forward_?email|delete_?email|send_?message|run_?command|execute_?(?:command|code)|http_?request|fetch_?url|transfer_?(?:funds|money)|send_?money|os\.system|subprocess\.run)\(\s?(?:["'{[]|[a-z_]{1,20}\s?[=:])/i,
  },
  {
    signal: "command_line",
    has: ["curl", "wget", "iwr", "invoke-webrequest"],
    with: ["|"],
    pattern: /\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n|]{1,200}\|\s{0,3}(?:sudo )?(?:ba|z|da)?sh\b/i,
  },
  { signal: "command_line", has: ["rm -r"], pattern: /\brm -rf? [~/*$]/i },
  {
    signal: "command_line",
    has: ["powershell"],
    pattern: /\bpowershell(?:\.exe)? [^\n]{0,80}-e(?:nc|ncodedcommand|xecutionpolicy)\b/i,
  },
  { signal: "command_line", has: ["mshta"], pattern: /\bmshta\b[^\n]{0,20}https?:/i },
  {
    signal: "command_line",
    has: ["base64 -"],
    pattern: /\bbase64 (?:-d|--decode)\b[^\n]{0,40}\|\s?(?:ba)?sh/i,
  },
  {
    signal: "exfil_image",
    has: ["!["],
    pattern:
      /!\[[^\]\n]{0,100}\]\(https?:[^)\s]{1,200}[?&][\w-]{1,30}=(?:\{|\[|<|\$|%7b|data|secret|content|insert|your|the_|xxx|summary|history|conversation|inbox)/i,
  },
  {
    signal: "exfil_image",
    has: ["={", "=[", "=<", "=${"],
    pattern: /https?:\/\/[^\s"'<>]{4,100}[?&][\w-]{1,30}=(?:\{\{?|\[|<|\$\{)[a-z_ -]{2,40}(?:\}|\]|>)/i,
  },
];

/** The numbers of the patterns that require each literal: few texts contain any of them. */
const BY_LITERAL: ReadonlyMap<string, readonly number[]> = new Map(
  Array.from(
    Map.groupBy(
      TOKEN_PATTERNS.flatMap(({ has }, number) => has.map((literal) => ({ literal, number }))),
      ({ literal }) => literal,
    ),
    ([literal, waiting]) => [literal, waiting.map(({ number }) => number)],
  ),
);

/** Finds the patterns in a text, given with the literals of its folded form; each hit has its signal and line. */
export function tokenHits(
  text: string,
  literals: FoundLiterals,
): Array<{ signal: SignalType; line: number }> {
  const hits: Array<{ signal: SignalType; line: number }> = [];
  const tried = new Set<number>();
  for (const literal of literals) for (const number of BY_LITERAL.get(literal) ?? []) tried.add(number);
  const contains = (literal: string): boolean => literals.has(literal);
  for (const number of [...tried].sort((one, other) => one - other)) {
    const { signal, with: also, pattern } = TOKEN_PATTERNS[number] as TokenPattern;
    if (also?.some(contains) === false || hits.some((hit) => hit.signal === signal)) continue;
    const at = text.search(pattern);
    if (at >= 0) hits.push({ signal, line: lineAt(text, at) });
  }
  return hits;
}

/** Returns the line number, from 1, of a position in a text. */
export function lineAt(text: string, at: number): number {
  let line = 1;
  for (
    let newline = text.indexOf("\n");
    newline >= 0 && newline < at;
    newline = text.indexOf("\n", newline + 1)
  )
    line += 1;
  return line;
}
